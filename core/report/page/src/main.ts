// SPDX-License-Identifier: Apache-2.0
// The sections of the page. One is drawn when it comes near the screen, and
// drawn again when a choice concerns it: what nobody sees costs nothing.
import * as compare from "./compare";
import * as curves from "./curves";
import { data } from "./data";
import { h, replace, toggle } from "./dom";
import * as filter from "./filter";
import * as latest from "./latest";
import * as machine from "./machine";
import "./page.css";
import * as score from "./score";
import { change, currentSection, go, onChange, start, state } from "./state";
import * as table from "./table";
import * as trends from "./trends";
import * as verdict from "./verdict";

interface Section {
  id: string;
  short: string;
  title: string;
  keys: string; // of the state, besides the filters
  render: (element: Element) => void;
  body: HTMLElement;
  near: boolean; // or on the screen
  seen: boolean; // on the screen
  stale: boolean;
}

const kFilters = ["f", "c", "m"];

function section(
  id: string,
  short: string,
  title: string,
  keys: string,
  render: (element: Element) => void,
): Section {
  const body = h("div", { class: "body" });
  return { id, short, title, keys, render, body, near: false, seen: false, stale: true };
}

const sections: Section[] = [
  section("verdict", "Verdict", "What happened to your data", "", verdict.render),
  section("score", "Score", "Score", "so", score.render),
  section("latest", "Latest", "Latest by metric", "g x", latest.render),
  ...(curves.available()
    ? [section("curves", "Curves", "Curves", "k kv kl x", curves.render)]
    : []),
  section("trends", "Trends", "Trends", "t l x", trends.render),
  section("compare", "Compare", "Compare two stacks", "a b", compare.render),
  section("machines", "Machines", "Machines and topology", "", machine.render),
  section("table", "Table", "Table", "cols ts", table.render),
];

function draw(one: Section) {
  if (!one.near || !one.stale) return;
  one.stale = false;
  one.render(one.body);
}

function isChart({ id }: Section): boolean {
  return id === "trends" || id === "curves";
}

function later(use: () => void) {
  if ("requestIdleCallback" in window) requestIdleCallback(use, { timeout: 150 });
  else setTimeout(use, 50);
}

function contents(): HTMLElement {
  return h(
    "nav",
    { id: "contents", "aria-label": "Contents" },
    h(
      "ul",
      {},
      sections.map(({ id, short }) =>
        h(
          "li",
          {},
          h(
            "a",
            {
              href: "#" + id,
              click: (event) => {
                event.preventDefault();
                go(id);
              },
            },
            short,
          ),
        ),
      ),
    ),
  );
}

function theme(): HTMLElement {
  const wanted = () => state.theme ?? "";
  const apply = () => {
    document.documentElement.dataset.theme = wanted();
  };
  apply();
  const element = h("div", { class: "row", role: "group", "aria-label": "Colours" });
  const show = () => {
    apply();
    replace(
      element,
      h("span", { class: "label" }, "Colours"),
      [
        ["", "as the system"],
        ["light", "light"],
        ["dark", "dark"],
      ].map(([value, text]) =>
        toggle(text, wanted() === value, () => change({ theme: value })),
      ),
    );
  };
  show();
  onChange((changed) => {
    if (!changed.has("theme")) return;
    show();
    // Lines on a canvas do not follow the style by themselves.
    for (const one of sections) {
      if (isChart(one)) one.stale = true;
      draw(one);
    }
  });
  return element;
}

function notes(): HTMLElement {
  return h(
    "footer",
    {},
    data.warnings.length > 0 &&
      h(
        "details",
        {},
        h("summary", {}, `${data.warnings.length} warnings about these results`),
        h("ul", {}, data.warnings.map((text) => h("li", {}, text))),
      ),
    data.thanks.map((text) => h("p", { class: "note" }, text)),
  );
}

function build(app: HTMLElement) {
  const filters = h("div", { id: "filters", "aria-label": "Filters", role: "region" });
  replace(
    app,
    contents(),
    filters,
    h(
      "main",
      {},
      sections.map((one) =>
        h(
          "section",
          { id: one.id, tabindex: "-1", "aria-labelledby": `title-${one.id}` },
          h(
            "h2",
            { id: `title-${one.id}` },
            one.title,
            " ",
            h(
              "a",
              {
                href: "#" + one.id,
                class: "link",
                "aria-label": `Link to ${one.title}`,
                click: (event) => {
                  event.preventDefault();
                  go(one.id);
                },
              },
              "#",
            ),
          ),
          one.body,
        ),
      ),
      theme(),
    ),
    notes(),
  );
  filter.update();
  filter.render(filters);
  onChange((changed) => {
    const filtered = kFilters.some((key) => changed.has(key));
    if (filtered || changed.has("x")) {
      filter.update();
      filter.render(filters);
    }
    const waiting: Section[] = [];
    for (const one of sections) {
      const own = one.keys.split(" ").some((key) => changed.has(key));
      if (filtered || own) one.stale = true;
      if (one.near && one.stale) waiting.push(one);
    }
    // What is on the screen at once; charts and the rest in the next moment.
    const seen = waiting.filter((one) => !isChart(one) && one.seen);
    seen.forEach(draw);
    if (seen.length < waiting.length) later(() => waiting.forEach(draw));
  });
}

function watch() {
  // Asking an element where it is would lay the page out at each click.
  const observe = (rootMargin: string, use: (one: Section, yes: boolean) => void) => {
    const observer = new IntersectionObserver(
      (changes) => {
        for (const { target, isIntersecting } of changes) {
          const one = sections.find(({ id }) => id === target.id);
          if (one) use(one, isIntersecting);
        }
      },
      { rootMargin },
    );
    for (const { id } of sections) {
      const element = document.getElementById(id);
      if (element) observer.observe(element);
    }
  };
  observe("0px", (one, yes) => (one.seen = yes));
  observe("300px", (one, yes) => {
    one.near = yes;
    draw(one);
  });
}

function run() {
  const app = document.getElementById("app");
  if (!app || !data) throw new Error("the page holds no data");
  start();
  build(app);
  watch();
  document.getElementById("tables")?.remove();
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    for (const one of sections) {
      if (isChart(one)) one.stale = true;
      draw(one);
    }
  });
  const wanted = currentSection();
  if (wanted) {
    // Everything must have its height before the page can jump.
    for (const one of sections) {
      one.near = true;
      draw(one);
    }
    document.getElementById(wanted)?.scrollIntoView();
  }
}

// The heading first: it is on the screen while the rest is made.
requestAnimationFrame(() =>
  setTimeout(() => {
    try {
      run();
    } catch (error) {
      // The tables are still there for whoever has another browser.
      document.documentElement.className = "";
      throw error;
    }
  }),
);
