// SPDX-License-Identifier: Apache-2.0
// speed.mjs FOLDER: how fast the HTML report of a folder of published runs is
// made and looked at, and the same for a history of the size of the whole
// published one, made of it. Prints each figure beside its goal.
import { spawn } from "node:child_process";
import {
  existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const kTries = 7;
const kDocuments = 3613;
const sample = process.argv[2];
if (!sample || !existsSync(sample)) {
  console.log(`SKIP: speed of the report: there is no ${sample}`);
  process.exit(77);
}

const median = (values) =>
  [...values].sort((a, b) => a - b)[values.length >> 1];

function line(what, value, unit, goal) {
  const good = goal === undefined ? "" : value <= goal ? "  met" : "  MISSED";
  const aim = goal === undefined ? "" : `  goal ${goal} ${unit}`;
  console.log(`  ${what.padEnd(44)} ${String(value).padStart(8)} ${unit}${aim}${good}`);
}

// Runs of the sample again and again, each later than the one before.
function whole(folder) {
  const runs = readdirSync(sample).sort((a, b) => a - b);
  let documents = 0;
  for (let i = 0; documents < kDocuments; ++i) {
    const from = join(sample, runs[i % runs.length]);
    const to = join(folder, String(8 + i));
    const date = new Date(Date.UTC(2026, 6, 12) + i * 6e6).toISOString();
    mkdirSync(to, { recursive: true });
    for (const name of readdirSync(from)) {
      if (!name.startsWith("result-") || documents++ >= kDocuments) continue;
      const text = readFileSync(join(from, name), "utf8");
      writeFileSync(
        join(to, name),
        text.replace(/"date": *"[^"]*"/, `"date":"${date.slice(0, 19)}Z"`),
      );
    }
  }
}

// Wall time and the peak of the resident memory, which is looked at often
// enough to see all of a program that frees nothing on the way.
function run(folder, file) {
  return new Promise((resolve, reject) => {
    const start = performance.now();
    const child = spawn(process.env.COWBENCH, ["report", "--html", file, folder], {
      stdio: "ignore",
    });
    let peak = 0;
    let cpu = 0;
    const timer = setInterval(() => {
      try {
        const status = readFileSync(`/proc/${child.pid}/status`, "utf8");
        peak = Math.max(peak, Number(/VmHWM:\s*(\d+)/.exec(status)?.[1] ?? 0));
        // Of all threads, in hundredths of a second.
        const stat = readFileSync(`/proc/${child.pid}/stat`, "utf8");
        const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
        cpu = Math.max(cpu, (Number(fields[11]) + Number(fields[12])) / 100);
      } catch {
        // It has ended.
      }
    }, 2);
    child.on("exit", (code) => {
      clearInterval(timer);
      if (code !== 0) reject(new Error(`cowbench ended with ${code}`));
      else resolve({ time: performance.now() - start, peak: peak / 1024, cpu });
    });
  });
}

async function paint(browser, url) {
  const times = [];
  for (let i = 0; i < kTries; ++i) {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await page.goto(url);
    await page.waitForFunction(
      () => performance.getEntriesByName("first-contentful-paint").length > 0,
    );
    times.push(
      await page.evaluate(
        () => performance.getEntriesByName("first-contentful-paint")[0].startTime,
      ),
    );
    await page.close();
  }
  return times;
}

// A click on a filter until the page is laid out anew, looked at the metrics:
// by the clock, and by what the page's own thread spent, which a busy machine
// does not stretch.
async function clicks(browser, url) {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.goto(`${url}#latest`);
  await page.waitForSelector("#latest .card");
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  const spent = async () => {
    const { metrics } = await session.send("Performance.getMetrics");
    return metrics
      .filter(({ name }) =>
        ["ScriptDuration", "LayoutDuration", "RecalcStyleDuration"].includes(name))
      .reduce((sum, { value }) => sum + 1000 * value, 0);
  };
  const all = [];
  for (let i = 0; i < 2 * kTries; ++i) {
    await page.waitForTimeout(300);
    const before = await spent();
    const time = await page.evaluate((button) => {
      const group = document.querySelector('#filters [aria-label="Family"]');
      const start = performance.now();
      group.querySelectorAll("button")[button].click();
      void document.documentElement.scrollHeight;
      return performance.now() - start;
    }, i % 2 ? 0 : 2);
    all.push({ time, cpu: (await spent()) - before });
  }
  await page.close();
  return all;
}

async function report(name, folder, browser, floor) {
  const file = join(process.cwd(), `speed-${name}.html`);
  const runs = [];
  for (let i = 0; i < kTries; ++i) runs.push(await run(folder, file));
  const count = readdirSync(folder)
    .map((one) => readdirSync(join(folder, one)).length)
    .reduce((sum, one) => sum + one, 0);
  console.log(`${name}: ${count} documents`);
  const best = (values) => Math.min(...values);
  const times = runs.map(({ time }) => time / 1000);
  line("to HTML, best", +best(times).toFixed(3), "s", 0.1);
  line("to HTML, median", +median(times).toFixed(3), "s");
  line("to HTML, processor time of all threads",
    +median(runs.map(({ cpu }) => cpu)).toFixed(2), "s");
  line("memory", +Math.max(...runs.map(({ peak }) => peak)).toFixed(1), "MB", 30);
  line("page", +(statSync(file).size / 1e6).toFixed(3), "MB", 0.7);
  const url = pathToFileURL(file).href;
  const paints = await paint(browser, url);
  line("first contentful paint, best", Math.round(best(paints)), "ms", 220);
  line("first contentful paint, median", Math.round(median(paints)), "ms");
  line("  of which for a page of one word, median", Math.round(floor), "ms");
  const all = await clicks(browser, url);
  const waits = all.map(({ time }) => time);
  line("filter click, median", +median(waits).toFixed(1), "ms", 30);
  line("filter click, worst", +Math.max(...waits).toFixed(1), "ms");
  line("filter click, processor time, median",
    +median(all.map(({ cpu }) => cpu)).toFixed(1), "ms");
}

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM,
  args: ["--no-sandbox"],
});
writeFileSync("word.html", "<!doctype html><p>word");
const floor = median(await paint(browser, pathToFileURL("word.html").href));
await report("sample", sample, browser, floor);
rmSync("whole", { recursive: true, force: true });
whole("whole");
await report("whole", "whole", browser, floor);
await browser.close();
console.log(`Load of the machine meanwhile: ${readFileSync("/proc/loadavg", "utf8").trim()}`);
