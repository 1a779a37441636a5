// SPDX-License-Identifier: Apache-2.0
// What the reader chose. It lives in the address, so that a view can be linked:
// #section&key=value&...

export const state: Record<string, string> = {};
let section = "";
const listeners: ((changed: Set<string>) => void)[] = [];

export function onChange(listener: (changed: Set<string>) => void) {
  listeners.push(listener);
}

function read(): Set<string> {
  const before = { ...state };
  for (const key of Object.keys(state)) delete state[key];
  section = "";
  for (const part of location.hash.slice(1).split("&")) {
    const equals = part.indexOf("=");
    try {
      if (equals > 0) {
        state[part.slice(0, equals)] = decodeURIComponent(
          part.slice(equals + 1),
        );
      } else if (part) {
        section = decodeURIComponent(part);
      }
    } catch {
      // A cut-off address: what can be read of it counts.
    }
  }
  const changed = new Set<string>();
  for (const key of [...Object.keys(before), ...Object.keys(state)]) {
    if (before[key] !== state[key]) changed.add(key);
  }
  return changed;
}

export function address(to: string, changes: Record<string, string> = {}) {
  const all = { ...state, ...changes };
  const parts = to ? [to] : [];
  for (const key of Object.keys(all).sort()) {
    if (all[key] !== "") parts.push(`${key}=${encodeURIComponent(all[key])}`);
  }
  return "#" + parts.join("&");
}

export function change(changes: Record<string, string>, to = section) {
  const changed = new Set<string>();
  for (const [key, value] of Object.entries(changes)) {
    if ((state[key] ?? "") === value) continue;
    if (value === "") delete state[key];
    else state[key] = value;
    changed.add(key);
  }
  section = to;
  history.replaceState(null, "", address(section));
  if (changed.size > 0) listeners.forEach((listener) => listener(changed));
}

// A list in the state; null when everything is chosen.
export function list(key: string): Set<string> | null {
  return state[key] === undefined ? null : new Set(state[key].split(","));
}

export function go(to: string) {
  section = to;
  history.replaceState(null, "", address(section));
  const target = document.getElementById(to);
  target?.scrollIntoView();
  target?.focus({ preventScroll: true });
}

export function start() {
  read();
  addEventListener("hashchange", () => {
    const changed = read();
    if (changed.size > 0) listeners.forEach((listener) => listener(changed));
    if (section) document.getElementById(section)?.scrollIntoView();
  });
}

export function currentSection(): string {
  return section;
}
