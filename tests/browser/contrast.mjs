// SPDX-License-Identifier: Apache-2.0
// Runs in the page: the least contrast of text against what lies behind it
// (WCAG 2.1, relative luminance), and the smallest text and target.
export function leastContrast() {
  const numbers = (color) => color.match(/[\d.]+/g).map(Number);
  const luminance = ([r, g, b]) =>
    [r, g, b]
      .map((value) => value / 255)
      .map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
      .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const behind = (element) => {
    for (let e = element; e; e = e.parentElement) {
      const color = numbers(getComputedStyle(e).backgroundColor);
      if (color.length < 4 || color[3] === 1) return color;
    }
    return [255, 255, 255];
  };
  let least = { ratio: 21, text: "" };
  for (const element of document.querySelectorAll("body *")) {
    const own = [...element.childNodes].some(
      (node) => node.nodeType === 3 && node.textContent.trim(),
    );
    if (!own || element.getClientRects().length === 0) continue;
    if (element.closest("option, optgroup, script, style")) continue;
    const a = luminance(numbers(getComputedStyle(element).color));
    const b = luminance(behind(element));
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < least.ratio) {
      least = { ratio, text: `${element.className}: ${element.textContent}` };
    }
  }
  return least;
}

export function smallest() {
  let text = 100;
  let target = 100;
  for (const element of document.querySelectorAll("#app *, #top *")) {
    if (element.getClientRects().length === 0) continue;
    const size = parseFloat(getComputedStyle(element).fontSize);
    if (element.textContent.trim()) text = Math.min(text, size);
    if (element.matches("button, select, input, summary, #contents a")) {
      target = Math.min(target, element.getBoundingClientRect().height);
    }
  }
  return { text, target };
}
