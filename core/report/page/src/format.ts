// SPDX-License-Identifier: Apache-2.0
// Numbers and words as the page prints them.
import { data, Figure, Metric } from "./data";

// Three significant digits, whole numbers whole, thousands set apart.
export function figure(value: number): string {
  const size = Math.abs(value);
  if (size >= 1e15 || (size > 0 && size < 1e-4)) return value.toExponential(2);
  let text: string;
  if (Number.isInteger(value) || size >= 100) {
    text = String(Math.round(value));
  } else {
    text = value.toFixed(
      Math.max(0, 2 - Math.floor(Math.log10(size || 1))),
    );
  }
  return text.replace(/^(-?\d+)/, (whole) =>
    whole.replace(/\B(?=(\d{3})+$)/g, "\u202f"),
  );
}

export function unit(metric: Metric): string {
  return metric.kind === "flag" ? "" : metric.unit;
}

export function withUnit(metric: Metric, value: number): string {
  if (metric.kind === "flag") {
    return (metric.words ?? ["no", "yes"])[value >= 0.5 ? 1 : 0];
  }
  return metric.unit ? `${figure(value)}\u00a0${metric.unit}` : figure(value);
}

export function direction(metric: Metric): string {
  if (metric.kind === "flag" && metric.better !== "neither") {
    return `\u201c${withUnit(metric, metric.better === "higher" ? 1 : 0)}\u201d is better`;
  }
  if (metric.better === "higher") return "higher is better \u2191";
  if (metric.better === "lower") return "lower is better \u2193";
  return "neither is better";
}

// "812 (800 to 830, n=20)"
export function spread(metric: Metric, found: Figure): string {
  if (metric.kind === "flag") {
    return `${withUnit(metric, found.median)} (n=${found.n})`;
  }
  if (found.n === 1) return `${figure(found.median)} (n=1, one run only)`;
  return (
    `${figure(found.median)} (${figure(found.low)} to ${figure(found.high)}, ` +
    `n=${found.n})`
  );
}

const kOutcomes: Record<string, string> = {
  "not-applicable": "Not applicable",
  "not-available": "Not available",
  "not-requested": "Not requested",
  withheld: "Withheld",
  failed: "Failed",
  interrupted: "Interrupted",
};

export function outcome(word: string): string {
  return kOutcomes[word] ?? word;
}

// "2026-07-24 11:10"
export function date(text: string): string {
  return text.slice(0, 16).replace("T", " ");
}

export function percent(share: number): string {
  return `${(share * 100).toFixed(share < 0.1 ? 1 : 0)} %`;
}

export function count(number: number, one: string, many: string): string {
  return `${number} ${number === 1 ? one : many}`;
}

export function bytes(value: number): string {
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let i = 0;
  while (value >= 1024 && i < units.length - 1) {
    value /= 1024;
    ++i;
  }
  return `${figure(value)}\u00a0${units[i]}`;
}

export function pointName(source: number, point: number): string {
  const { names, dates, days } = data.sources[source];
  const when = date(dates[point]);
  return point < days
    ? `${when.slice(0, 10)}, medians of the day`
    : `run ${names[point]}, ${when}`;
}
