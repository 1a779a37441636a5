// SPDX-License-Identifier: Apache-2.0
// The data that the program wrote into the page (core/report/page_data.cpp).

export type Packed = 0 | [number, number, number, number, string];
export type Fact = [string, string];

export interface Metric {
  key: string;
  kind: "number" | "flag" | "curve";
  label: string;
  unit: string;
  better: string;
  group: string;
  definition: string;
  axis?: string;
  words?: string[];
  detail?: boolean;
}

export interface Source {
  name: string;
  facts: Fact[];
  names: string[];
  dates: string[];
  kernels: string[];
  days: number;
  breaks: [number, number, string, string?][];
}

export interface Work {
  phase: string;
  amplification: number | null;
  members: [string, number, number, number][];
}

export interface Entry {
  name: string;
  family: string;
  class: string;
  source: number;
  facts: Fact[];
  work?: Work[];
}

export interface Curve {
  metric: number;
  entry: number;
  runs: number;
  latest: Packed;
  middle: Packed;
}

export interface Verdict {
  entry: number;
  fate: string;
  intact: number;
  runs: number;
  reason: string;
}

export interface Score {
  model: string;
  summary: string;
  source: number;
  groups: string[];
  runs: string[];
  extremes: [number, number, number][];
  rows: (number | null)[][];
}

export interface Data {
  title: string;
  metrics: Metric[];
  sources: Source[];
  entries: Entry[];
  cells: (0 | number[])[][];
  texts: string[];
  values: number[][];
  series: Packed[][];
  curves: Curve[];
  verdicts: Verdict[];
  scores: Score[];
  warnings: string[];
  thanks: string[];
}

const element = document.getElementById("data");
export const data = JSON.parse(element?.textContent ?? "null") as Data;

const kAlphabet =
  "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const kLevels = 4094;
const place: Record<string, number> = {};
for (let i = 0; i < kAlphabet.length; ++i) place[kAlphabet[i]] = i;

// Four significant digits, as everything on the page that is computed.
export function brief(value: number): number {
  return Number(value.toPrecision(4));
}

// null stands for a gap.
export function unpack(packed: Packed, length: number): (number | null)[] {
  const values: (number | null)[] = new Array(length).fill(null);
  if (packed === 0) return values;
  const [form, low, high, first, text] = packed;
  const ratio = form === 2 ? Math.log(high / low) / kLevels : 0;
  for (let i = 0; 2 * i < text.length; ++i) {
    if (text[2 * i] === "-") continue;
    const level = place[text[2 * i]] * 64 + place[text[2 * i + 1]];
    values[first + i] =
      form === 0
        ? low + level
        : form === 1
          ? brief(low + ((high - low) * level) / kLevels)
          : brief(low * Math.exp(ratio * level));
  }
  return values;
}

export function length(packed: Packed): number {
  return packed === 0 ? 0 : packed[3] + packed[4].length / 2;
}

export interface Figure {
  median: number;
  low: number;
  high: number;
  n: number;
  interval: boolean; // at 95 %; otherwise low and high are the extremes
  note: string;
}

export interface Missing {
  outcome: string;
  reason: string;
}

// What the page knows of a metric of an entry: a figure, why there is none, or
// null where the machine of the entry never heard of the metric.
export function cell(metric: number, entry: number): Figure | Missing | null {
  const found = data.cells[metric][entry];
  if (found === 0) return null;
  if (found.length === 2) {
    return { outcome: data.texts[found[0]], reason: data.texts[found[1]] };
  }
  const [median, low, high, n, note] = found;
  return {
    median,
    low,
    high,
    n: Math.abs(n),
    interval: n > 0,
    note: note === undefined ? "" : data.texts[note],
  };
}

export function isFigure(
  found: Figure | Missing | null,
): found is Figure {
  return found !== null && "median" in found;
}

export function series(metric: number, entry: number): (number | null)[] {
  const source = data.sources[data.entries[entry].source];
  return unpack(data.series[metric][entry], source.names.length);
}

const own = new Map<string, number[]>();
for (const [metric, entry, ...values] of data?.values ?? []) {
  own.set(`${metric} ${entry}`, values);
}

// The values behind the current figure: as many of the last ones as it counts.
export function values(metric: number, entry: number): number[] {
  const known = own.get(`${metric} ${entry}`);
  if (known) return known;
  const found = cell(metric, entry);
  if (!isFigure(found)) return [];
  const all = series(metric, entry).filter((value) => value !== null);
  return (all as number[]).slice(-found.n);
}

// The breaks of a metric that concern an entry, by point.
export function breaks(metric: number, entry: number): [number, string][] {
  const { name, source } = data.entries[entry];
  return data.sources[source].breaks
    .filter(([m, , , only]) => m === metric && (!only || name.includes(only)))
    .map(([, point, why]) => [point, why] as [number, string])
    .sort((a, b) => a[0] - b[0]);
}

export function entryName(entry: number): string {
  const { name, source } = data.entries[entry];
  return data.sources.length < 2
    ? name
    : `${name} on ${data.sources[source].name}`;
}

// Names of metrics in addresses: the key, with its group where two groups have
// a metric of that key.
export const ids: string[] = (data?.metrics ?? []).map(({ key, group }) =>
  data.metrics.filter((other) => other.key === key).length === 1
    ? key
    : `${group}.${key}`,
);

export function metricIndex(id: string): number {
  return ids.indexOf(id);
}

export const groups: string[] = [
  ...new Set(data?.metrics.map((metric) => metric.group) ?? []),
];
