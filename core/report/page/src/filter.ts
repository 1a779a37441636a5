// SPDX-License-Identifier: Apache-2.0
// Which stacks are looked at.
import { data, entryName } from "./data";
import { h, replace, select, toggle } from "./dom";
import { change, list, state } from "./state";

const kinds: [string, string, (entry: number) => string][] = [
  ["f", "Family", (entry) => data.entries[entry].family],
  ["c", "Class", (entry) => data.entries[entry].class],
  ["m", "Machine", (entry) => String(data.entries[entry].source)],
];

let shown: number[] = [];
let highlighted = -1;

export function entries(): number[] {
  return shown;
}

export function update() {
  const wanted = kinds.map(([key]) => list(key));
  shown = data.entries
    .map((_, entry) => entry)
    .filter((entry) =>
      kinds.every(
        ([, , of], i) => wanted[i] === null || wanted[i]?.has(of(entry)),
      ),
    );
  highlighted = find();
}

function find(): number {
  const found = data.entries.findIndex(
    (_, entry) => entryName(entry) === state.x,
  );
  if (found >= 0 && shown.includes(found)) return found;
  const best = data.scores[0]?.rows.map((row) => row[0] as number) ?? [];
  return best.find((entry) => shown.includes(entry)) ?? shown[0] ?? -1;
}

// The highlighted stack.
export function focused(): number {
  return highlighted;
}

export function focus(entry: number) {
  change({ x: entryName(entry) });
}

function pick(key: string, value: string, all: string[]) {
  const now = list(key) ?? new Set(all);
  // From "all" a click asks for one; further clicks add and take away.
  const next = now.size === all.length ? new Set([value]) : now;
  if (next === now) {
    if (now.has(value)) now.delete(value);
    else now.add(value);
  }
  const rest = all.filter((one) => next.has(one));
  const everything = rest.length === 0 || rest.length === all.length;
  change({ [key]: everything ? "" : rest.join(",") });
}

function buttons(): HTMLElement[] {
  return kinds.flatMap(([key, label, of]) => {
    const all = [...new Set(data.entries.map((_, entry) => of(entry)))];
    if (all.length < 2) return [];
    const chosen = list(key);
    return [
      h(
        "div",
        { class: "row", role: "group", "aria-label": label },
        h("span", { class: "label" }, label),
        toggle("all", chosen === null, () => change({ [key]: "" })),
        all.map((value) =>
          toggle(
            key === "m" ? data.sources[Number(value)].name : value,
            chosen?.has(value) ?? false,
            () => pick(key, value, all),
          ),
        ),
      ),
    ];
  });
}

export function render(element: Element) {
  const active = document.activeElement;
  const index = [...element.querySelectorAll("button")].indexOf(
    active as HTMLButtonElement,
  );
  replace(
    element,
    buttons(),
    h(
      "div",
      { class: "row" },
      select(
        "Highlight",
        shown.map((entry) => [entryName(entry), entryName(entry)]),
        entryName(focused()),
        (value) => change({ x: value }),
      ),
      h(
        "span",
        { class: "note", role: "status" },
        `${shown.length} of ${data.entries.length} stacks shown`,
      ),
    ),
  );
  // The buttons were made anew; the keyboard stays where it was.
  if (index >= 0) element.querySelectorAll("button")[index]?.focus();
}
