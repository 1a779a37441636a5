// SPDX-License-Identifier: Apache-2.0
// A card for each metric of the chosen group: best first, the interval as a
// bar, what has no figure in words.
import { cell, data, entryName, Figure, groups, ids, isFigure } from "./data";
import { h, replace, toggle } from "./dom";
import { entries, focus, focused } from "./filter";
import { direction, outcome, spread, unit } from "./format";
import { change, go, state } from "./state";

interface Row {
  entry: number;
  found: Figure;
}

export function currentGroups(): string[] {
  return groups.filter((group) =>
    data.metrics.some(
      (metric) => metric.group === group && metric.kind !== "curve",
    ),
  );
}

function chosenGroup(): string {
  const all = currentGroups();
  return all.includes(state.g) ? state.g : all[0];
}

// Where a value lies on the card's scale, from 0 to 1. Logarithmic where one
// stack is far from another, or the bars of all others would vanish.
function scale(rows: Row[]): [(value: number) => number, string] {
  const lows = rows.map(({ found }) => found.low).filter((low) => low > 0);
  const high = Math.max(...rows.map(({ found }) => found.high));
  const low = Math.min(...lows, high);
  if (low > 0 && high / low > 20) {
    const span = Math.log(high / low);
    return [
      (value) =>
        value > 0 ? 0.02 + (0.96 * Math.log(value / low)) / span : 0,
      "logarithmic scale",
    ];
  }
  const most = high > 0 ? high : 1;
  return [(value) => (0.98 * value) / most, "scale from 0"];
}

function highlight(event: Event) {
  const button = (event.target as Element).closest<HTMLElement>(".stack");
  if (button) focus(Number(button.dataset.entry));
}

// A row as it stands in the page. Only marks and places change with filters:
// what was made once is used again.
interface Made {
  element: HTMLElement;
  bar: HTMLElement | null;
  dot: HTMLElement | null;
  alike: HTMLElement;
}

const made = new Map<string, Made>();

function make(metric: number, { entry, found }: Row): Made {
  const about = data.metrics[metric];
  const number = about.kind === "number";
  const bar =
    number && found.n > 1
      ? h("span", { class: found.interval ? "interval" : "extremes" })
      : null;
  const dot = number ? h("span", { class: "dot" }) : null;
  const alike = h("small", {}, " \u2248 as the best");
  const element = h(
    "li",
    {},
    h(
      "button",
      { type: "button", class: "stack", "data-entry": String(entry) },
      entryName(entry),
    ),
    number && h("span", { class: "track", "aria-hidden": "true" }, bar, dot),
    h("span", { class: "value" }, spread(about, found), alike),
    found.note !== "" && h("small", { class: "note" }, found.note),
  );
  return { element, bar, dot, alike };
}

function sorted(metric: number, of: number[]): Row[] {
  const better = data.metrics[metric].better;
  const sign = better === "lower" ? 1 : -1;
  return of
    .map((entry) => ({ entry, found: cell(metric, entry) }))
    .filter((row): row is Row => isFigure(row.found))
    .sort((a, b) => sign * (a.found.median - b.found.median));
}

function mark(
  metric: number,
  row: Row,
  best: Figure,
  at: (value: number) => number,
) {
  const { entry, found } = row;
  const about = data.metrics[metric];
  const one = made.get(`${metric} ${entry}`);
  if (!one) return;
  const percent = (share: number) => `${(100 * Math.max(0, share)).toFixed(2)}%`;
  if (one.bar) {
    one.bar.style.left = percent(at(found.low));
    one.bar.style.width = percent(at(found.high) - at(found.low));
  }
  if (one.dot) one.dot.style.left = percent(at(found.median));
  one.alike.hidden = !(
    found !== best &&
    about.kind === "number" &&
    about.better !== "neither" &&
    found.interval &&
    best.interval &&
    found.low <= best.high &&
    found.high >= best.low
  );
  one.element.className = entry === focused() ? "focused" : "";
}

// Stacks without a figure, those with one reason together.
function missing(metric: number): HTMLElement | null {
  const reasons = new Map<string, string[]>();
  for (const entry of entries()) {
    const found = cell(metric, entry);
    if (found === null || isFigure(found)) continue;
    const key = `${outcome(found.outcome)}: ${found.reason}`;
    reasons.set(key, [...(reasons.get(key) ?? []), entryName(entry)]);
  }
  if (reasons.size === 0) return null;
  return h(
    "ul",
    { class: "missing" },
    [...reasons].map(([reason, names]) =>
      h("li", {}, h("b", {}, reason), ` \u2013 ${names.join(", ")}`),
    ),
  );
}

interface Card {
  element: HTMLElement;
  scale: HTMLElement;
  list: HTMLElement;
  missing: HTMLElement;
}

const cards = new Map<number, Card>();

// With the rows of all stacks: best first is one order under every filter.
function makeCard(metric: number): Card {
  const about = data.metrics[metric];
  const scale = h("span", {});
  const missing = h("div", {});
  const rows = sorted(
    metric,
    data.entries.map((_, entry) => entry),
  );
  const list = h(
    "ol",
    { class: "bars", click: highlight },
    rows.map((row) => {
      const one = make(metric, row);
      made.set(`${metric} ${row.entry}`, one);
      return one.element;
    }),
  );
  const element = h(
    "article",
    { class: "card", id: `metric-${ids[metric]}` },
    h("h3", {}, about.label, " ", h("small", {}, unit(about))),
    h("p", { class: "note" }, about.definition),
    h(
      "p",
      { class: "note" },
      direction(about),
      scale,
      about.kind === "number" && ", ",
      about.kind === "number" &&
        h(
          "a",
          {
            href: `#trends&t=${encodeURIComponent(ids[metric])}`,
            // Filters may have changed since the card was made.
            click: (event) => {
              event.preventDefault();
              change({ t: ids[metric] });
              go("trends");
            },
          },
          "over time",
        ),
    ),
    list,
    missing,
  );
  return { element, scale, list, missing };
}

function card(metric: number): HTMLElement {
  let one = cards.get(metric);
  if (!one) cards.set(metric, (one = makeCard(metric)));
  const shown = new Set(entries());
  for (let entry = 0; entry < data.entries.length; ++entry) {
    const row = made.get(`${metric} ${entry}`);
    if (row) row.element.hidden = !shown.has(entry);
  }
  const rows = sorted(metric, entries());
  const [at, name] = rows.length > 0 ? scale(rows) : [() => 0, ""];
  for (const row of rows) mark(metric, row, rows[0].found, at);
  const number = data.metrics[metric].kind === "number" && name !== "";
  one.scale.textContent = number ? `, ${name}` : "";
  replace(one.missing, missing(metric));
  return one.element;
}

export function render(element: Element) {
  const group = chosenGroup();
  const drawn = (element as HTMLElement).dataset;
  const metrics = data.metrics
    .map((_, metric) => metric)
    .filter(
      (metric) =>
        data.metrics[metric].group === group &&
        data.metrics[metric].kind !== "curve",
    );
  const known = metrics.filter((metric) =>
    data.cells[metric].some((found) => found !== 0),
  );
  const main = known.filter((metric) => !data.metrics[metric].detail);
  const details = known.filter((metric) => data.metrics[metric].detail);
  if (drawn.group === group) {
    known.forEach(card);
    return;
  }
  drawn.group = group;
  replace(
    element,
    h(
      "div",
      { class: "row", role: "group", "aria-label": "Group of metrics" },
      currentGroups().map((name) =>
        toggle(name, name === group, () => change({ g: name })),
      ),
    ),
    h(
      "p",
      { class: "note" },
      "Median of the newest runs. The bar is the 95 % interval of the median, " +
        "or a thin line from least to most where there are too few runs for " +
        "one; n counts runs. Best first; stacks whose interval overlaps that " +
        "of the best are marked \u2248.",
    ),
    h("div", { class: "cards-grid" }, main.map(card)),
    details.length > 0 &&
      h(
        "details",
        {},
        h("summary", {}, `Details (${details.length})`),
        h("div", { class: "cards-grid" }, details.map(card)),
      ),
  );
}
