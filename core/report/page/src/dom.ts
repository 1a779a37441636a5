// SPDX-License-Identifier: Apache-2.0
// Elements from data. Texts only ever become text nodes, so that nothing in a
// result is taken for markup.

export type Child = Node | string | null | false;
type Listener = (event: Event) => void;
export type Properties = Record<string, string | boolean | Listener | null>;

export function h(
  tag: string,
  properties: Properties = {},
  ...children: (Child | Child[])[]
): HTMLElement {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === false) continue;
    if (typeof value === "function") {
      element.addEventListener(name, value);
    } else {
      element.setAttribute(name, value === true ? "" : value);
    }
  }
  for (const child of children.flat()) {
    if (child !== null && child !== false) element.append(child);
  }
  return element;
}

export function replace(element: Element, ...children: (Child | Child[])[]) {
  const wanted = children.flat().filter((child) => child) as (Node | string)[];
  element.replaceChildren(...wanted);
}

// A button that is on or off, which assistive programs hear and eyes see by
// more than its colour.
export function toggle(
  label: string,
  on: boolean,
  use: () => void,
  properties: Properties = {},
): HTMLElement {
  return h(
    "button",
    {
      type: "button",
      class: "toggle",
      "aria-pressed": String(on),
      click: use,
      ...properties,
    },
    label,
  );
}

export function select(
  label: string,
  options: [string, string][] | Map<string, [string, string][]>,
  chosen: string,
  use: (value: string) => void,
): HTMLElement {
  const make = ([value, text]: [string, string]) =>
    h("option", { value, selected: value === chosen }, text);
  const inner = Array.isArray(options)
    ? options.map(make)
    : [...options].map(([group, list]) =>
        h("optgroup", { label: group }, list.map(make)),
      );
  const element = h("select", {}, inner) as HTMLSelectElement;
  element.addEventListener("change", () => use(element.value));
  return h("label", { class: "choice" }, h("span", {}, label), element);
}
