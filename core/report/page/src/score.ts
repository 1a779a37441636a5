// SPDX-License-Identifier: Apache-2.0
import { data, entryName, Score } from "./data";
import { h, replace } from "./dom";
import { entries } from "./filter";
import { figure } from "./format";
import { change, state } from "./state";
import { fates } from "./verdict";

type Row = (number | null)[];

function hundredth(value: number | null): string {
  return value === null ? "no value" : String(Math.floor(value * 100 + 0.5));
}

function header(label: string, key: number, sorted: number): HTMLElement {
  return h(
    "th",
    { scope: "col", "aria-sort": key === sorted ? "descending" : "none" },
    h(
      "button",
      {
        type: "button",
        class: "sort",
        click: () => change({ so: key === 0 ? "" : String(key) }),
      },
      label + (key === sorted ? " \u2193" : ""),
    ),
  );
}

// The range of single runs as a bar behind the score as a dot.
function range(row: Row, most: number): HTMLElement {
  const [, overall, low, high] = row;
  const track = h("span", { class: "track", "aria-hidden": "true" });
  const at = (value: number) => `${(100 * value) / most}%`;
  if (low !== null && high !== null) {
    const bar = h("span", { class: "interval" });
    bar.style.left = at(low);
    bar.style.width = at(high - low);
    track.append(bar);
  }
  if (overall !== null) {
    const dot = h("span", { class: "dot" });
    dot.style.left = at(overall);
    track.append(dot);
  }
  const middle = h("span", { class: "middle" });
  middle.style.left = at(1);
  track.append(middle);
  return track;
}

// What alone moves a score far.
function extremes(score: Score, entry: number): HTMLElement | null {
  const far = score.extremes
    .filter(([of]) => of === entry)
    .map(([, metric, ratio]) => {
      const times = `${figure(ratio > 1 ? ratio : 1 / ratio)}\u00d7`;
      const side = ratio > 1 ? "better" : "worse";
      return `${data.metrics[metric].label} ${times} ${side}`;
    });
  if (far.length === 0) return null;
  return h(
    "div",
    { class: "note" },
    `\u26a0 far from the middle: ${far.join("; ")}`,
  );
}

function body(score: Score, rows: Row[]): HTMLElement[] {
  const most = Math.max(1, ...rows.map((row) => row[3] ?? row[1] ?? 0));
  return rows.map((row, i) => {
    const entry = row[0] as number;
    const verdict = data.verdicts.find((one) => one.entry === entry);
    const [sign, word] = fates[verdict?.fate ?? "untested"];
    const [, overall, low, high] = row;
    const groups = score.groups.map((label, g) => {
      const [value, present, total] = row.slice(4 + 3 * g, 7 + 3 * g);
      return h(
        "td",
        { "data-label": label },
        hundredth(value as number | null),
        present !== total &&
          h("small", {}, ` ${present} of ${total} metrics`),
      );
    });
    return h(
      "tr",
      {},
      h(
        "th",
        { scope: "row" },
        h("span", { class: "rank" }, `${i + 1}.`),
        ` ${entryName(entry)}`,
        h(
          "div",
          { class: `word ${verdict?.fate ?? "untested"}` },
          `${sign} ${word}`,
        ),
      ),
      h(
        "td",
        { "data-label": "Overall" },
        h("b", {}, hundredth(overall)),
        low !== null &&
          h("small", {}, ` single runs ${hundredth(low)} to ${hundredth(high)}`),
        range(row, most),
        extremes(score, entry),
      ),
      groups,
    );
  });
}

export function render(element: Element) {
  const shown = new Set(entries());
  if (data.scores.length === 0) {
    replace(
      element,
      h("p", {}, "There is no score for these results: the model is one for " +
        "published results."),
    );
    return;
  }
  const column = Number(state.so ?? 0);
  replace(
    element,
    data.scores.flatMap((score) => {
      const at = column > 0 ? 4 + 3 * (column - 1) : 1;
      const rows = score.rows
        .filter((row) => shown.has(row[0] as number))
        .sort((a, b) => (b[at] ?? -1) - (a[at] ?? -1));
      if (rows.length === 0) return [];
      return [
        h(
          "p",
          {},
          `Model ${score.model}, ${score.summary}: 100 is the middle of all ` +
            `stacks${data.sources.length > 1 ? ` on ${data.sources[score.source].name}` : ""}, ` +
            "200 twice as good. Filters hide rows and change no number. Medians of runs ",
          score.runs.join(", "),
          ". The model has no interval; the bar goes from the lowest to the " +
            "highest score that one of these runs gives alone, and the line is 100. " +
            "Speed and fate are apart: a fast stack may have lost data.",
        ),
        h(
          "table",
          { class: "score cards" },
          h(
            "thead",
            {},
            h(
              "tr",
              {},
              h("th", { scope: "col" }, "Stack"),
              header("Overall", 0, column),
              score.groups.map((label, g) => header(label, g + 1, column)),
            ),
          ),
          h("tbody", {}, body(score, rows)),
        ),
      ];
    }),
  );
}
