// SPDX-License-Identifier: Apache-2.0
// The comparison of two stacks chosen in the page: there are too many pairs to
// compute them beforehand. The same methods as core/result/comparison.hpp.

export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2
    ? sorted[middle]
    : (sorted[middle - 1] + sorted[middle]) / 2;
}

// Twice the mid-ranks of both samples together, so that they are whole.
function doubleRanks(all: number[]): number[] {
  const order = all.map((_, i) => i).sort((x, y) => all[x] - all[y]);
  const ranks: number[] = new Array(all.length);
  for (let i = 0; i < order.length; ) {
    let j = i;
    while (j < order.length && all[order[j]] === all[order[i]]) ++j;
    for (let k = i; k < j; ++k) ranks[order[k]] = i + j + 1;
    i = j;
  }
  return ranks;
}

// The two-sided p-value of the Mann-Whitney test, exact with ties: in how many
// of all choices is the sum of ranks as far from its mean?
export function rankTest(a: number[], b: number[]): number {
  const ranks = doubleRanks([...a, ...b]);
  const total = ranks.reduce((sum, rank) => sum + rank, 0);
  const seen = ranks.slice(0, a.length).reduce((sum, rank) => sum + rank, 0);
  const ways: Float64Array[] = [];
  for (let k = 0; k <= a.length; ++k) ways.push(new Float64Array(total + 1));
  ways[0][0] = 1;
  let reached = 0;
  ranks.forEach((rank, i) => {
    reached += rank;
    for (let k = Math.min(i + 1, a.length); k > 0; --k) {
      for (let sum = reached; sum >= rank; --sum) {
        ways[k][sum] += ways[k - 1][sum - rank];
      }
    }
  });
  const mean = (total * a.length) / ranks.length;
  let extreme = 0;
  let all = 0;
  ways[a.length].forEach((count, sum) => {
    all += count;
    if (Math.abs(sum - mean) >= Math.abs(seen - mean) - 1e-9) extreme += count;
  });
  return Math.min(1, extreme / all);
}

// How many of all quotients may be cut off at each end for 95 %: from the
// distribution of U without ties. -1 when the samples are too small.
function cut(a: number, b: number): number {
  const ways: Float64Array[] = [];
  for (let k = 0; k <= a; ++k) ways.push(new Float64Array(a * b + 1));
  ways[0][0] = 1;
  // Partitions of u into at most a parts, each at most b: choose how many of
  // the b values lie below each of the a values.
  for (let rank = 1; rank <= a + b; ++rank) {
    for (let k = Math.min(rank, a); k > 0; --k) {
      const below = rank - k;
      for (let u = a * b; u >= below; --u) ways[k][u] += ways[k - 1][u - below];
    }
  }
  const all = ways[a].reduce((sum, count) => sum + count, 0);
  let tail = 0;
  let largest = -1;
  for (let u = 0; u <= a * b; ++u) {
    tail += ways[a][u];
    if (tail / all > 0.025) break;
    largest = u;
  }
  return largest;
}

export interface Ratio {
  ratio: number;
  low: number | null;
  high: number | null;
}

// How many times as large b is as a, with the interval between order
// statistics of all quotients.
export function ratio(a: number[], b: number[]): Ratio | null {
  if (a.some((value) => value <= 0) || b.some((value) => value <= 0)) {
    return null;
  }
  const middle = median(b) / median(a);
  const edge = cut(a.length, b.length);
  if (edge < 0) return { ratio: middle, low: null, high: null };
  const quotients: number[] = [];
  for (const one of a) for (const other of b) quotients.push(other / one);
  quotients.sort((x, y) => x - y);
  return {
    ratio: middle,
    low: Math.min(middle, quotients[edge]),
    high: Math.max(middle, quotients[quotients.length - 1 - edge]),
  };
}

// Holm's correction, in the order given.
export function holm(values: number[]): number[] {
  const order = values.map((_, i) => i).sort((x, y) => values[x] - values[y]);
  const corrected: number[] = new Array(values.length);
  let largest = 0;
  order.forEach((index, i) => {
    largest = Math.max(largest, values[index] * (values.length - i));
    corrected[index] = Math.min(1, largest);
  });
  return corrected;
}

// The smallest relative difference that would probably have been found.
export function detectable(a: number[], b: number[]): number | null {
  const variation = (values: number[]) => {
    const middle = median(values);
    if (middle === 0) return 0;
    const deviations = values.map((value) => Math.abs(value - middle));
    return (1.4826 * median(deviations)) / Math.abs(middle);
  };
  const largest = Math.max(variation(a), variation(b));
  if (largest === 0) return null;
  return 2.8 * largest * Math.sqrt(1 / a.length + 1 / b.length);
}
