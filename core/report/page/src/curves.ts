// SPDX-License-Identifier: Apache-2.0
// Metrics that are a list of values for each job, such as the speed of every
// pass over a file that ages.
import { Chart } from "./chart";
import { data, entryName, ids, length, unpack } from "./data";
import { Child, h, replace, select } from "./dom";
import { entries, focus, focused } from "./filter";
import { count, unit, withUnit } from "./format";
import { change, state } from "./state";
import { choices, chosen } from "./trends";

let chart: Chart | null = null;

export function available(): boolean {
  return data.curves.length > 0;
}

function controls(metric: number, kind: string, log: boolean): HTMLElement {
  return h(
    "div",
    { class: "row" },
    select("Curve", choices("curve"), ids[metric], (k) => change({ k })),
    select(
      "Of",
      [
        ["middle", "the median of the newest runs"],
        ["latest", "the newest run"],
      ],
      kind,
      (value) => change({ kv: value === "middle" ? "" : value }),
    ),
    h(
      "button",
      {
        type: "button",
        class: "toggle",
        "aria-pressed": String(log),
        click: () => change({ kl: log ? "" : "1" }),
      },
      "logarithmic",
    ),
  );
}

export function render(element: Element) {
  const metric = chosen("k", "curve");
  const shown = new Set(entries());
  const curves = data.curves.filter(
    (curve) => curve.metric === metric && shown.has(curve.entry),
  );
  if (curves.length === 0) {
    replace(element, h("p", {}, "No stack shown has such a curve."));
    return;
  }
  const about = data.metrics[metric];
  const kind = state.kv === "latest" ? "latest" : "middle";
  const main = curves.some((curve) => curve.entry === focused())
    ? focused()
    : curves[0].entry;
  const most = Math.max(...curves.map((curve) => length(curve[kind])));
  const log = state.kl === "1";
  const values = curves.map((curve) => unpack(curve[kind], most));
  chart ??= new Chart("A curve for each stack");
  const axis = about.axis ?? "value";
  replace(
    element,
    controls(metric, kind, log),
    h("p", { class: "note" }, about.definition),
    chart.element,
    h(
      "p",
      { class: "note" },
      `Bold: ${entryName(main)}. Curves end where a stack stopped.`,
    ),
  );
  const line = curves.findIndex((curve) => curve.entry === main);
  chart.show({
    x: Array.from({ length: most }, (_, i) => i + 1),
    lines: curves
      .map((curve, i) => ({
        name: entryName(curve.entry),
        entry: curve.entry,
        values: values[i],
        cuts: [],
      }))
      .sort((a, b) => Number(a.entry === main) - Number(b.entry === main)),
    focused: main,
    time: false,
    log,
    unit: unit(about),
    axis,
    marks: [],
    first: 0,
    describe: (index): Child[] => {
      const value = values[line][index];
      const runs = kind === "middle" ? curves[line].runs : 1;
      return [
        h("b", {}, entryName(main)),
        ` ${value === null ? "no value" : withUnit(about, value)}`,
        ` \u2013 ${axis} ${index + 1}, `,
        `${count(runs, "run", "runs")}`,
      ];
    },
    choose: focus,
  });
}
