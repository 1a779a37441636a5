// SPDX-License-Identifier: Apache-2.0
// Two stacks, metric by metric, and what their members did.
import { cell, data, entryName, groups, isFigure, values, Work } from "./data";
import { h, replace, select } from "./dom";
import { bytes, figure, outcome, percent, spread, unit, withUnit } from "./format";
import { change, state } from "./state";
import { detectable, holm, rankTest, Ratio, ratio } from "./stats";

interface Line {
  metric: number;
  p: number;
  ratio: Ratio | null;
  least: number | null;
}

function chosen(key: string, other: number): number {
  const found = data.entries.findIndex(
    (_, entry) => entryName(entry) === state[key],
  );
  return found >= 0 ? found : Math.min(other, data.entries.length - 1);
}

// By "a b": a filter or a highlight changes none of it.
const known = new Map<string, Line[]>();

function lines(a: number, b: number): Line[] {
  const key = `${a} ${b}`;
  const before = known.get(key);
  if (before) return before;
  const found: Line[] = [];
  data.metrics.forEach((about, metric) => {
    if (about.kind !== "number" || about.detail) return;
    const left = values(metric, a);
    const right = values(metric, b);
    if (left.length === 0 || right.length === 0) return;
    found.push({
      metric,
      p: rankTest(left, right),
      ratio: ratio(left, right),
      least: detectable(left, right),
    });
  });
  const corrected = holm(found.map(({ p }) => p));
  found.forEach((line, i) => (line.p = corrected[i]));
  known.set(key, found);
  return found;
}

type Side = "a" | "b" | "alike" | "unknown";

function times(value: number): string {
  return `${figure(value < 1 ? 1 / value : value)}\u00d7`;
}

// Which side is better, and how to say so.
function verdict(line: Line, a: number, b: number): [Side, string] {
  const about = data.metrics[line.metric];
  const n = [values(line.metric, a).length, values(line.metric, b).length];
  if (Math.min(...n) < 3) {
    return ["unknown", `cannot tell: ${n[0]} and ${n[1]} runs are too few`];
  }
  if (line.p >= 0.05) {
    return [
      "alike",
      "no difference detectable" +
        (line.least === null ? "" : `: could see \u2265 ${percent(line.least)}`),
    ];
  }
  const left = cell(line.metric, a);
  const right = cell(line.metric, b);
  if (!isFigure(left) || !isFigure(right)) return ["unknown", "cannot tell"];
  const more = right.median > left.median;
  const factor =
    line.ratio === null ? "" : `${times(line.ratio.ratio)} `;
  if (about.better === "neither") {
    return ["alike", `B ${factor}${more ? "more" : "less"}`];
  }
  const better = more === (about.better === "higher");
  return [better ? "b" : "a", `${better ? "B" : "A"} ${factor}better`];
}

function interval(found: Ratio | null): string {
  if (found === null) return "\u2013";
  const text = `B is ${figure(found.ratio)}\u00d7 A`;
  return found.low === null || found.high === null
    ? text
    : `${text} (${figure(found.low)} to ${figure(found.high)})`;
}

function valueText(metric: number, entry: number): string {
  const found = cell(metric, entry);
  if (found === null) return "\u2013";
  return isFigure(found)
    ? spread(data.metrics[metric], found)
    : outcome(found.outcome);
}

function row(line: Line, a: number, b: number): HTMLElement {
  const about = data.metrics[line.metric];
  const [side, words] = verdict(line, a, b);
  return h(
    "tr",
    { class: `side-${side}` },
    h(
      "th",
      { scope: "row" },
      about.label,
      " ",
      h("small", {}, unit(about)),
      h("details", {}, h("summary", {}, "what is it?"), about.definition),
    ),
    h("td", { "data-label": "A" }, valueText(line.metric, a)),
    h("td", { "data-label": "B" }, valueText(line.metric, b)),
    h("td", { "data-label": "Ratio" }, interval(line.ratio)),
    h(
      "td",
      { "data-label": "Verdict" },
      h("b", {}, words),
      h("small", {}, ` p${line.p < 0.001 ? "<0.001" : `=${figure(line.p)}`}`),
    ),
  );
}

function workRow(a: Work | undefined, b: Work | undefined): HTMLElement {
  const text = (work: Work | undefined) => {
    if (!work) return "\u2013";
    const written = work.members.map(([, , write]) => write);
    const sum = written.reduce((all, one) => all + one, 0);
    const flushes = work.members.reduce((all, [, , , one]) => all + one, 0);
    const most = Math.max(...written, 0);
    const mean = sum / Math.max(1, written.length);
    return [
      `${bytes(sum)} written by ${written.length} members`,
      work.amplification === null
        ? null
        : `${figure(work.amplification)} bytes for each byte asked for`,
      `${figure(flushes)} flushes`,
      mean > 0 ? `fullest member ${figure(most / mean)}\u00d7 the mean` : null,
    ]
      .filter((part) => part !== null)
      .join("; ");
  };
  return h(
    "tr",
    {},
    h("th", { scope: "row" }, (a ?? b)?.phase ?? ""),
    h("td", { "data-label": "A" }, text(a)),
    h("td", { "data-label": "B" }, text(b)),
  );
}

// Why they differ, as far as the members' counters tell.
function explanation(a: number, b: number): HTMLElement | null {
  const left = data.entries[a].work ?? [];
  const right = data.entries[b].work ?? [];
  const phases = [...new Set([...left, ...right].map(({ phase }) => phase))];
  if (phases.length === 0) return null;
  const find = (all: Work[], phase: string) =>
    all.find((work) => work.phase === phase);
  return h(
    "details",
    { open: true },
    h("summary", {}, "What the members did (newest job)"),
    h(
      "table",
      { class: "cards" },
      h(
        "thead",
        {},
        h("tr", {}, ["Phase", "A", "B"].map((text) => h("th", { scope: "col" }, text))),
      ),
      h(
        "tbody",
        {},
        phases.map((phase) => workRow(find(left, phase), find(right, phase))),
      ),
    ),
  );
}

function flags(a: number, b: number): HTMLElement[] {
  return data.metrics.flatMap((about, metric) => {
    if (about.kind !== "flag") return [];
    const [left, right] = [cell(metric, a), cell(metric, b)];
    if (!isFigure(left) || !isFigure(right)) return [];
    if (left.median >= 0.5 === right.median >= 0.5) return [];
    return [
      h(
        "li",
        {},
        `${about.label}: A ${withUnit(about, left.median)}, ` +
          `B ${withUnit(about, right.median)}`,
      ),
    ];
  });
}

function table(all: Line[], a: number, b: number): HTMLElement {
  return h(
    "table",
    { class: "compare cards" },
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        ["Metric", `A: ${entryName(a)}`, `B: ${entryName(b)}`, "Ratio", "Verdict"].map(
          (text) => h("th", { scope: "col" }, text),
        ),
      ),
    ),
    groups.map((group) => {
      const some = all.filter(
        ({ metric }) => data.metrics[metric].group === group,
      );
      if (some.length === 0) return null;
      return h(
        "tbody",
        {},
        h(
          "tr",
          { class: "group" },
          h("th", { colspan: "5", scope: "rowgroup" }, group),
        ),
        some.map((line) => row(line, a, b)),
      );
    }),
  );
}

export function render(element: Element) {
  if (data.entries.length < 2) {
    replace(element, h("p", {}, "There is one stack only."));
    return;
  }
  const a = chosen("a", 0);
  const b = chosen("b", a === 0 ? 1 : 0);
  const options = data.entries.map(
    (_, entry) => [entryName(entry), entryName(entry)] as [string, string],
  );
  const all = lines(a, b);
  const sides = all.map((line) => verdict(line, a, b)[0]);
  const number = (side: Side) => sides.filter((one) => one === side).length;
  const apart = data.entries[a].source !== data.entries[b].source;
  replace(
    element,
    h(
      "div",
      { class: "row" },
      select("A", options, entryName(a), (value) => change({ a: value })),
      select("B", options, entryName(b), (value) => change({ b: value })),
      h(
        "button",
        {
          type: "button",
          class: "toggle",
          click: () => change({ a: entryName(b), b: entryName(a) }),
        },
        "swap",
      ),
    ),
    apart &&
      h(
        "p",
        { class: "warning" },
        "\u26a0 They ran on different machines: what differs may be the machine.",
      ),
    h(
      "p",
      {},
      h("b", {}, `A is better in ${number("a")} metrics, B in ${number("b")}; `),
      `${number("alike")} show no difference for better or worse` +
        (number("unknown") > 0
          ? `, ${number("unknown")} cannot be told.`
          : "."),
    ),
    h(
      "p",
      { class: "note" },
      "Medians of the newest runs; a ratio has its 95 % interval; p is of the " +
        "rank test, corrected for the number of metrics. Nothing is normalised.",
    ),
    h("ul", {}, flags(a, b)),
    table(all, a, b),
    explanation(a, b),
  );
}
