// SPDX-License-Identifier: Apache-2.0
// One HTML file with everything in it. The browser is told to run only the
// scripts and styles that are here now, by their hashes, and to fetch nothing.
import { createHash } from "node:crypto";
import { defineConfig } from "vite";

const hash = (text) =>
  `'sha256-${createHash("sha256").update(text, "utf8").digest("base64")}'`;

function inOneFile() {
  return {
    name: "in-one-file",
    enforce: "post",
    generateBundle(options, bundle) {
      const page = bundle["index.html"];
      const files = Object.values(bundle);
      const script = files
        .filter((file) => file.type === "chunk")
        .map((file) => file.code)
        .join("\n")
        .replace(/<\/script/g, "<\\/script")
        .replace(/<!--/g, "<\\!--");
      const style = files
        .filter((file) => file.fileName.endsWith(".css"))
        .map((file) => file.source)
        .join("\n");
      let html = page.source
        .replace(/<script type="module"[^>]*><\/script>\s*/g, "")
        .replace(/<link rel="stylesheet"[^>]*>\s*/g, "");
      const early = [...html.matchAll(/<script>([^]*?)<\/script>/g)].map(
        (match) => match[1],
      );
      const policy = [
        "default-src 'none'",
        `script-src ${[...early, script].map(hash).join(" ")}`,
        `style-src ${hash(style)}`,
        "base-uri 'none'",
        "form-action 'none'",
      ].join("; ");
      // A function keeps "$&" and the like in the texts as they are.
      html = html
        .replace("<!--policy-->", () => policy)
        .replace("<!--style-->", () => `<style>${style}</style>`)
        .replace("<!--script-->", () => `<script>${script}</script>`);
      for (const name of Object.keys(bundle)) {
        if (name !== "index.html") delete bundle[name];
      }
      page.source = html;
    },
  };
}

export default defineConfig({
  base: "./",
  logLevel: "warn",
  esbuild: { charset: "ascii" },
  build: {
    target: "es2020",
    modulePreload: false,
    cssCodeSplit: false,
    assetsInlineLimit: 0,
    rollupOptions: { output: { format: "iife" } },
  },
  plugins: [inOneFile()],
});
