// SPDX-License-Identifier: Apache-2.0
import { Chart, Mark } from "./chart";
import { breaks, data, entryName, ids, metricIndex, series } from "./data";
import { Child, h, replace, select } from "./dom";
import { entries, focus, focused } from "./filter";
import { direction, pointName, unit, withUnit } from "./format";
import { change, state } from "./state";

let chart: Chart | null = null;

// Metrics by group, for a choice.
export function choices(kind: string): Map<string, [string, string][]> {
  const all = new Map<string, [string, string][]>();
  data.metrics.forEach((metric, m) => {
    if (metric.kind !== kind) return;
    const any =
      kind === "curve" || data.series[m].some((packed) => packed !== 0);
    if (!any) return;
    const list = all.get(metric.group) ?? [];
    list.push([ids[m], metric.label]);
    all.set(metric.group, list);
  });
  return all;
}

export function chosen(key: string, kind: string): number {
  const wanted = metricIndex(state[key] ?? "");
  if (wanted >= 0 && data.metrics[wanted].kind === kind) return wanted;
  // A figure that can be better or worse says more than one that cannot.
  const all = [...choices(kind).values()].flat().map(([name]) => name);
  const first =
    all.find(
      (name) =>
        data.metrics[metricIndex(name)].better === "higher" &&
        data.series[metricIndex(name)].every((packed) => packed !== 0),
    ) ?? all[0];
  return metricIndex(first ?? "");
}

function logarithmic(lines: (number | null)[][], first: number): boolean {
  let low = Infinity;
  let high = 0;
  for (const values of lines) {
    for (const value of values.slice(first)) {
      if (value === null) continue;
      if (value <= 0) return false;
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
  }
  return high / low > 20;
}

function describe(metric: number, source: number, shown: number[]) {
  const about = data.metrics[metric];
  const all = new Map(shown.map((entry) => [entry, series(metric, entry)]));
  return (index: number): Child[] => {
    const focusedEntry = focused();
    const value = all.get(focusedEntry)?.[index] ?? null;
    const rest = [...all]
      .map(([, values]) => values[index])
      .filter((one): one is number => one !== null);
    const sign = about.better === "lower" ? 1 : -1;
    const place =
      value === null
        ? 0
        : 1 + rest.filter((one) => sign * (one - value) < 0).length;
    return [
      h("b", {}, entryName(focusedEntry)),
      ` ${value === null ? "no value" : withUnit(about, value)}`,
      ` \u2013 ${pointName(source, index)}, kernel ${data.sources[source].kernels[index]}`,
      value !== null &&
        about.better !== "neither" &&
        `; place ${place} of ${rest.length}`,
    ];
  };
}

function controls(metric: number, log: boolean): HTMLElement {
  return h(
    "div",
    { class: "row" },
    select("Metric", choices("number"), ids[metric], (t) => change({ t })),
    h(
      "button",
      {
        type: "button",
        class: "toggle",
        "aria-pressed": String(log),
        click: () => change({ l: log ? "0" : "1" }),
      },
      "logarithmic",
    ),
  );
}

function markList(marks: [number, string][], source: number): Child {
  return (
    marks.length > 0 &&
    h(
      "ul",
      { class: "marks" },
      marks.map(([point, why], i) =>
        h(
          "li",
          {},
          h("b", {}, `M${i + 1}`),
          ` ${pointName(source, point)}: `,
          why,
        ),
      ),
    )
  );
}

export function render(element: Element) {
  const metric = chosen("t", "number");
  const shown = entries();
  if (metric < 0 || shown.length === 0) {
    replace(element, h("p", {}, "Nothing to show."));
    return;
  }
  const about = data.metrics[metric];
  const main = focused();
  const source = data.entries[main].source;
  const { dates } = data.sources[source];
  const same = shown.filter(
    (entry) =>
      data.entries[entry].source === source && data.series[metric][entry] !== 0,
  );
  const marks = breaks(metric, main);
  const all = same.map((entry) => series(metric, entry));
  const first = marks.length > 0 ? marks[marks.length - 1][0] : 0;
  const log = state.l ? state.l === "1" : logarithmic(all, first);
  chart ??= new Chart("A metric over the runs");
  replace(
    element,
    controls(metric, log),
    h("p", { class: "note" }, `${about.definition} (${direction(about)})`),
    dates.length < 2
      ? h("p", {}, "There is one run only: a trend needs two.")
      : chart.element,
    h(
      "p",
      { class: "note" },
      "Bold: the highlighted stack; choose it above or click near a line. " +
        "Thin: the other stacks shown. A gap is a run without a value.",
    ),
    markList(marks, source),
  );
  if (dates.length < 2) return;
  chart.show({
    x: dates.map((text) => Date.parse(text) / 1000),
    lines: same
      .map((entry, i) => ({
        name: entryName(entry),
        entry,
        values: log
          ? all[i].map((v) => (v !== null && v > 0 ? v : null))
          : all[i],
        // What was measured otherwise is another line.
        cuts: breaks(metric, entry).map(([point]) => point),
      }))
      .sort((a, b) => Number(a.entry === main) - Number(b.entry === main)),
    focused: main,
    time: true,
    log,
    unit: unit(about),
    axis: "",
    marks: marks.map(([at, text]): Mark => ({ at, text })),
    first,
    describe: describe(metric, source, same),
    choose: focus,
  });
}
