// SPDX-License-Identifier: Apache-2.0
import { data, entryName } from "./data";
import { h, replace } from "./dom";
import { entries } from "./filter";
import { count } from "./format";

// A sign, the word, and what it means, for readers who see it the first time.
export const fates: Record<string, [string, string, string]> = {
  survived: [
    "\u2714",
    "Survived",
    "Part of one member was overwritten behind the stack's back; the stack " +
      "has checksums, could tell right from wrong, and gave every byte back",
  ],
  unproven: [
    "?",
    "Unproven",
    "The file was unchanged, but nothing in this stack checks data: it may " +
      "have been luck where the damage fell",
  ],
  sometimes: [
    "\u2716",
    "Lost sometimes",
    "In some runs the file had other bytes than before",
  ],
  lost: ["\u2716", "Lost", "In every run the file had other bytes than before"],
  untested: ["\u2013", "Not tested", "No run damaged these stacks"],
};

export function render(element: Element) {
  const shown = new Set(entries());
  const verdicts = data.verdicts.filter(({ entry }) => shown.has(entry));
  if (verdicts.length === 0) {
    replace(
      element,
      h(
        "p",
        {},
        "No phase of these results damaged data on purpose, so they say " +
          "nothing about what would happen to it.",
      ),
    );
    return;
  }
  replace(
    element,
    h(
      "div",
      { class: "fates" },
      Object.entries(fates).map(([fate, [sign, word, meaning]]) => {
        const stacks = verdicts.filter((verdict) => verdict.fate === fate);
        if (stacks.length === 0) return null;
        return h(
          "div",
          { class: `fate ${fate}` },
          h(
            "h3",
            {},
            h("span", { class: "sign", "aria-hidden": "true" }, sign),
            ` ${word}: ${count(stacks.length, "stack", "stacks")}`,
          ),
          h("p", { class: "note" }, meaning + "."),
          fate !== "untested" &&
            h("p", { class: "note" }, "Unchanged in so many runs:"),
          h(
            "ul",
            {},
            stacks.map(({ entry, intact, runs, reason }) =>
              h(
                "li",
                {},
                h("b", {}, entryName(entry)),
                h(
                  "span",
                  { class: "note" },
                  fate === "untested" ? reason : `${intact} of ${runs} runs`,
                ),
              ),
            ),
          ),
        );
      }),
    ),
  );
}
