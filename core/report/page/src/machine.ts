// SPDX-License-Identifier: Apache-2.0
import { data, Fact } from "./data";
import { h, replace } from "./dom";
import { entries } from "./filter";
import { count, date } from "./format";

function facts(all: Fact[]): HTMLElement {
  return h(
    "dl",
    {},
    all.flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]),
  );
}

export function render(element: Element) {
  const shown = entries();
  replace(
    element,
    data.sources.map((source, s) => {
      const here = shown.filter((entry) => data.entries[entry].source === s);
      if (here.length === 0) return null;
      const { dates } = source;
      return h(
        "article",
        { class: "machine" },
        h("h3", {}, source.name),
        facts([
          ...source.facts,
          ["time", `${date(dates[0])} to ${date(dates[dates.length - 1])} UTC`],
        ]),
        h(
          "details",
          {},
          h(
            "summary",
            {},
            `Layers, members and mount options of ${count(here.length, "stack", "stacks")}`,
          ),
          here.map((entry) =>
            h(
              "section",
              { class: "stack-facts" },
              h("h4", {}, data.entries[entry].name),
              facts([
                ["family", data.entries[entry].family],
                ["class", data.entries[entry].class],
                ...data.entries[entry].facts,
              ]),
            ),
          ),
        ),
      );
    }),
  );
}
