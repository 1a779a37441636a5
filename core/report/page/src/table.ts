// SPDX-License-Identifier: Apache-2.0
// All current figures: a row for each stack, columns as the reader likes.
import { cell, data, entryName, groups, ids, isFigure } from "./data";
import { h, replace } from "./dom";
import { entries } from "./filter";
import { direction, figure, outcome, unit, withUnit } from "./format";
import { change, list, state } from "./state";

function columns(): number[] {
  const all = data.metrics
    .map((_, metric) => metric)
    .filter((metric) => data.metrics[metric].kind !== "curve");
  const wanted = list("cols");
  if (wanted !== null) {
    return all.filter((metric) => wanted.has(ids[metric]));
  }
  // At first one of each group: more than fit would hide the rest.
  return groups.flatMap((group) => {
    const first = all.find(
      (metric) =>
        data.metrics[metric].group === group && !data.metrics[metric].detail,
    );
    return first === undefined ? [] : [first];
  });
}

function choose(metrics: number[]) {
  change({ cols: metrics.map((metric) => ids[metric]).join(",") });
}

function chooser(shown: number[]): HTMLElement {
  const set = new Set(shown);
  return h(
    "details",
    { class: "chooser", open: state.open === "1" },
    h("summary", {}, `Columns (${shown.length})`),
    groups.map((group) => {
      const own = data.metrics
        .map((_, metric) => metric)
        .filter(
          (metric) =>
            data.metrics[metric].group === group &&
            data.metrics[metric].kind !== "curve",
        );
      if (own.length === 0) return null;
      return h(
        "fieldset",
        {},
        h("legend", {}, group),
        own.map((metric) => {
          const box = h("input", {
            type: "checkbox",
            checked: set.has(metric),
          }) as HTMLInputElement;
          box.addEventListener("change", () => {
            if (box.checked) set.add(metric);
            else set.delete(metric);
            choose([...set].sort((a, b) => a - b));
          });
          return h("label", { class: "box" }, box, data.metrics[metric].label);
        }),
      );
    }),
  );
}

function sorted(metric: number): number[] {
  const all = [...entries()];
  if (metric < 0) {
    return all.sort((a, b) => entryName(a).localeCompare(entryName(b)));
  }
  const sign = data.metrics[metric].better === "lower" ? 1 : -1;
  const value = (entry: number) => {
    const found = cell(metric, entry);
    return isFigure(found) ? sign * found.median : Infinity;
  };
  return all.sort((a, b) => value(a) - value(b));
}

function quoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
}

// RFC 4180, one record for each stack and metric, all metrics.
function csv(): string {
  const records = [
    ["stack", "family", "class", "machine", "metric", "unit", "better",
      "median", "low", "high", "n", "interval", "outcome", "reason"],
  ];
  for (const entry of entries()) {
    const { name, family, class: kind, source } = data.entries[entry];
    data.metrics.forEach((about, metric) => {
      const found = about.kind === "curve" ? null : cell(metric, entry);
      if (found === null) return;
      const head = [name, family, kind, data.sources[source].name, about.key,
        unit(about), about.better];
      records.push(
        isFigure(found)
          ? [...head, String(found.median), String(found.low),
              String(found.high), String(found.n),
              found.interval ? "95 %" : "extremes", "ok", found.note]
          : [...head, "", "", "", "0", "", found.outcome, found.reason],
      );
    });
  }
  return records.map((record) => record.map(quoted).join(",") + "\r\n").join("");
}

function save() {
  const url = URL.createObjectURL(new Blob([csv()], { type: "text/csv" }));
  h("a", { href: url, download: "cowbench.csv" }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

function cellText(metric: number, entry: number): HTMLElement {
  const found = cell(metric, entry);
  const about = data.metrics[metric];
  if (found === null) return h("td", {}, "\u2013");
  if (!isFigure(found)) {
    return h("td", { class: "word", title: found.reason }, outcome(found.outcome));
  }
  return h(
    "td",
    { title: found.note },
    about.kind === "flag" ? withUnit(about, found.median) : figure(found.median),
    h(
      "small",
      {},
      (found.n > 1 && about.kind === "number"
        ? `${figure(found.low)}\u2013${figure(found.high)}, `
        : "") + `n=${found.n}`,
    ),
  );
}

function header(metric: number, by: number): HTMLElement {
  const about = data.metrics[metric];
  return h(
    "th",
    { scope: "col", "aria-sort": metric === by ? "other" : "none" },
    h(
      "button",
      {
        type: "button",
        class: "sort",
        click: () => change({ ts: ids[metric] }),
      },
      about.label + (metric === by ? " \u25be" : ""),
    ),
    h("small", {}, [unit(about), direction(about)].filter(Boolean).join(", ")),
  );
}

function figures(shown: number[], by: number): HTMLElement {
  return h(
    "div",
    { class: "scroll table-frame", tabindex: "0", role: "region", "aria-label": "Table of figures, scrolls sideways" },
    h(
      "table",
      { class: "figures" },
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          h(
            "th",
            { scope: "col" },
            h(
              "button",
              { type: "button", class: "sort", click: () => change({ ts: "" }) },
              "Stack" + (by < 0 ? " \u25be" : ""),
            ),
          ),
          shown.map((metric) => header(metric, by)),
        ),
      ),
      h(
        "tbody",
        {},
        sorted(by).map((entry) =>
          h(
            "tr",
            {},
            h("th", { scope: "row" }, entryName(entry)),
            shown.map((metric) => cellText(metric, entry)),
          ),
        ),
      ),
    ),
  );
}

export function render(element: Element) {
  const shown = columns();
  const by = shown.find((metric) => ids[metric] === state.ts) ?? -1;
  const before = element.querySelector<HTMLDetailsElement>(".chooser");
  const choice = chooser(shown) as HTMLDetailsElement;
  choice.open = before?.open ?? false;
  replace(
    element,
    h(
      "div",
      { class: "row" },
      choice,
      h("button", { type: "button", class: "toggle", click: save }, "Save as CSV"),
      h("span", { class: "note" }, "The file holds every metric of the stacks shown."),
    ),
    figures(shown, by),
    h(
      "details",
      {},
      h("summary", {}, "What the columns mean"),
      h(
        "dl",
        {},
        shown.flatMap((metric) => [
          h("dt", {}, data.metrics[metric].label),
          h("dd", {}, data.metrics[metric].definition),
        ]),
      ),
    ),
  );
}
