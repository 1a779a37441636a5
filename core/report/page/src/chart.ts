// SPDX-License-Identifier: Apache-2.0
// A line chart with one highlighted line. uPlot draws; this adds what a reader
// without a mouse needs: keys, buttons, two fingers, and the figures as text.
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { Child, h, replace } from "./dom";

export interface Line {
  name: string;
  values: (number | null)[];
  entry: number;
  cuts: number[]; // no line from the point before to this one
}

export interface Mark {
  at: number; // an index of x
  text: string;
}

export interface ChartData {
  x: number[];
  lines: Line[];
  focused: number; // an entry
  time: boolean;
  log: boolean;
  unit: string;
  axis: string;
  marks: Mark[];
  first: number; // what is seen at first, an index of x
  describe: (index: number) => Child[];
  choose: (entry: number) => void;
}

const kFont = "13px system-ui, sans-serif";

interface Colors {
  text: string;
  grid: string;
  focus: string;
  faint: string;
}

// All at once, before the page is changed: each look lays it out anew.
function colors(): Colors {
  const style = getComputedStyle(document.documentElement);
  const of = (name: string) => style.getPropertyValue(name).trim();
  return {
    text: of("--text"),
    grid: of("--grid"),
    focus: of("--focus"),
    faint: of("--faint"),
  };
}

function axisValue(value: number): string {
  return Math.abs(value) >= 1e4 || (value !== 0 && Math.abs(value) < 1e-3)
    ? value.toLocaleString("en", {
        notation: "compact",
        maximumSignificantDigits: 3,
      })
    : String(Number(value.toPrecision(4)));
}

// "07-24", with the hour where the marks are closer than a day.
function axisDates(_: uPlot, splits: number[], _axis: number, _space: number,
  step: number): string[] {
  return splits.map((seconds) => {
    const text = new Date(seconds * 1000).toISOString();
    return step >= 86400
      ? text.slice(5, 10)
      : `${text.slice(5, 10)} ${text.slice(11, 16)}`;
  });
}

function withCuts(line: Line): uPlot.Series.GapsRefiner {
  return (plot, _series, _first, _last, gaps) => {
    const at = (index: number) =>
      Math.round(plot.valToPos(plot.data[0][index], "x", true));
    for (const cut of line.cuts) {
      if (cut > 0 && cut < plot.data[0].length) {
        gaps.push([at(cut - 1), at(cut)]);
      }
    }
    return gaps.sort((a, b) => a[0] - b[0]);
  };
}

export class Chart {
  private plot: uPlot | null = null;
  private about: ChartData | null = null;
  private colors: Colors = colors();
  private index: number | null = null;
  private pointers = new Map<number, number>();
  private pinch: [number, number, number] | null = null;
  private readonly frame: HTMLElement;
  private readonly text: HTMLElement;
  readonly element: HTMLElement;

  constructor(label: string) {
    this.frame = h("div", {
      class: "plot",
      tabindex: "0",
      role: "img",
      "aria-label": `${label}. Arrow keys move along the line, plus and minus zoom, 0 shows all.`,
    });
    this.text = h("div", { class: "readout", "aria-live": "polite" });
    const button = (text: string, name: string, use: () => void) =>
      h(
        "button",
        { type: "button", class: "zoom", title: name, "aria-label": name, click: use },
        text,
      );
    this.element = h(
      "div",
      { class: "chart" },
      h(
        "div",
        { class: "row zooms", role: "group", "aria-label": "Zoom" },
        button("+", "Zoom in", () => this.zoom(0.5)),
        button("\u2212", "Zoom out", () => this.zoom(2)),
        button("\u2190", "Earlier", () => this.pan(-0.3)),
        button("\u2192", "Later", () => this.pan(0.3)),
        button("All", "Show all", () => this.all()),
      ),
      this.frame,
      this.text,
    );
    this.frame.addEventListener("keydown", (event) => this.key(event));
    this.listenToFingers();
    new ResizeObserver(() => this.resize()).observe(this.frame);
  }

  show(about: ChartData) {
    this.about = about;
    this.index = null;
    this.colors = colors();
    const width = this.frame.clientWidth || 300;
    this.plot?.destroy();
    const focus = about.lines.findIndex((line) => line.entry === about.focused);
    const marks = about.marks;
    const options: uPlot.Options = {
      width,
      height: 340,
      tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), "Etc/UTC"),
      legend: { show: false },
      padding: [12, 16, 0, 0],
      focus: { alpha: 1 },
      cursor: {
        drag: { x: true, y: false },
        points: { show: false },
        y: false,
      },
      scales: {
        x: { time: about.time },
        y: { distr: about.log ? 3 : 1 },
      },
      axes: this.axes(about),
      series: [
        {},
        ...about.lines.map((line, i) => ({
          label: line.name,
          stroke: i === focus ? this.colors.focus : this.colors.faint,
          width: i === focus ? 2.5 : 1,
          points: { show: i === focus, size: 5 },
          spanGaps: false,
          gaps: withCuts(line),
        })),
      ],
      hooks: {
        setCursor: [
          (plot) => {
            if (plot.cursor.idx != null) this.read(plot.cursor.idx);
          },
        ],
        drawClear: [(plot) => this.drawMarks(plot, marks)],
      },
    };
    const order = [...about.lines];
    this.plot = new uPlot(
      options,
      [about.x, ...order.map((line) => line.values)] as uPlot.AlignedData,
      this.frame,
    );
    this.plot.over.addEventListener("click", (event) => this.click(event));
    if (about.first > 0) {
      this.setRange(about.x[about.first], about.x[about.x.length - 1]);
    }
    const values = about.lines[focus]?.values ?? [];
    let last = values.length - 1;
    while (last > 0 && values[last] === null) --last;
    if (last >= 0) this.read(last);
  }

  private axes(about: ChartData): uPlot.Axis[] {
    const base = {
      stroke: this.colors.text,
      font: kFont,
      labelFont: kFont,
      grid: { stroke: this.colors.grid, width: 1 },
      ticks: { stroke: this.colors.grid, width: 1 },
    };
    return [
      about.time
        ? { ...base, space: 100, size: 36, values: axisDates }
        : { ...base, label: about.axis, space: 50, labelSize: 24 },
      {
        ...base,
        label: about.unit,
        labelSize: 22,
        size: 62,
        values: (_: uPlot, splits: number[]) =>
          splits.map((value) => (value == null ? "" : axisValue(value))),
      },
    ];
  }

  private drawMarks(plot: uPlot, marks: Mark[]) {
    const context = plot.ctx;
    context.save();
    context.strokeStyle = this.colors.text;
    context.fillStyle = this.colors.text;
    context.setLineDash([6, 4]);
    context.font = `${13 * devicePixelRatio}px system-ui, sans-serif`;
    marks.forEach((mark, i) => {
      const x = plot.valToPos(plot.data[0][mark.at], "x", true);
      if (x < plot.bbox.left || x > plot.bbox.left + plot.bbox.width) return;
      context.beginPath();
      context.moveTo(x, plot.bbox.top);
      context.lineTo(x, plot.bbox.top + plot.bbox.height);
      context.stroke();
      context.fillText(
        `M${i + 1}`,
        x + 4 * devicePixelRatio,
        plot.bbox.top + 14 * devicePixelRatio,
      );
    });
    context.restore();
  }

  private read(index: number) {
    if (!this.about || this.index === index) return;
    this.index = index;
    replace(this.text, this.about.describe(index));
  }

  private resize() {
    const width = this.frame.clientWidth;
    if (this.plot && width > 0 && width !== this.plot.width) {
      this.plot.setSize({ width, height: this.plot.height });
    }
  }

  private range(): [number, number] {
    const { min, max } = this.plot!.scales.x;
    return [min!, max!];
  }

  private setRange(min: number, max: number) {
    const x = this.about!.x;
    const first = x[0];
    const last = x[x.length - 1];
    const span = Math.min(max - min, last - first);
    const least = (last - first) / 200;
    if (span < least) return;
    const start = Math.min(Math.max(min, first), last - span);
    this.plot!.setScale("x", { min: start, max: start + span });
  }

  private zoom(factor: number) {
    const [min, max] = this.range();
    const middle = (min + max) / 2;
    const half = ((max - min) / 2) * factor;
    this.setRange(middle - half, middle + half);
  }

  private pan(share: number) {
    const [min, max] = this.range();
    this.setRange(min + share * (max - min), max + share * (max - min));
  }

  private all() {
    const x = this.about!.x;
    this.plot!.setScale("x", { min: x[0], max: x[x.length - 1] });
  }

  private key(event: KeyboardEvent) {
    const uses: Record<string, () => void> = {
      ArrowLeft: () => this.step(-1),
      ArrowRight: () => this.step(1),
      "+": () => this.zoom(0.5),
      "=": () => this.zoom(0.5),
      "-": () => this.zoom(2),
      "0": () => this.all(),
    };
    const use = uses[event.key];
    if (!use || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    use();
  }

  private step(by: number) {
    const last = this.about!.x.length - 1;
    const next = Math.min(last, Math.max(0, (this.index ?? last) + by));
    const x = this.about!.x[next];
    const [min, max] = this.range();
    if (x < min || x > max) this.pan(x < min ? -0.3 : 0.3);
    this.plot!.setCursor({ left: this.plot!.valToPos(x, "x"), top: 10 });
    this.read(next);
  }

  // The line nearest to a click is the one to highlight.
  private click(event: MouseEvent) {
    const plot = this.plot!;
    const index = plot.cursor.idx;
    if (index == null || !this.about) return;
    const y = event.offsetY;
    let best = -1;
    let least = 30;
    this.about.lines.forEach((line, i) => {
      const value = line.values[index];
      if (value === null) return;
      const distance = Math.abs(plot.valToPos(value, "y") - y);
      if (distance < least) [least, best] = [distance, i];
    });
    if (best >= 0) this.about.choose(this.about.lines[best].entry);
  }

  // One finger scrolls the page up and down and moves the readout; two zoom.
  private listenToFingers() {
    const middle = () => {
      const [a, b] = [...this.pointers.values()];
      return [(a + b) / 2, Math.abs(a - b)];
    };
    this.frame.addEventListener("pointerdown", (event) => {
      if (event.pointerType !== "touch") return;
      this.pointers.set(event.pointerId, event.clientX);
      if (this.pointers.size === 2 && this.plot) {
        const [min, max] = this.range();
        this.pinch = [middle()[1], min, max];
      }
    });
    this.frame.addEventListener("pointermove", (event) => {
      if (!this.pointers.has(event.pointerId) || !this.plot) return;
      this.pointers.set(event.pointerId, event.clientX);
      const box = this.plot.over.getBoundingClientRect();
      if (this.pinch && this.pointers.size === 2) {
        const [center, distance] = middle();
        const [start, min, max] = this.pinch;
        const factor = start / Math.max(distance, 10);
        const share = (center - box.left) / box.width;
        const at = min + share * (max - min);
        this.setRange(at - share * (max - min) * factor,
          at + (1 - share) * (max - min) * factor);
      } else if (this.pointers.size === 1) {
        const left = event.clientX - box.left;
        this.plot.setCursor({ left, top: 10 });
      }
    });
    const end = (event: PointerEvent) => {
      this.pointers.delete(event.pointerId);
      if (this.pointers.size < 2) this.pinch = null;
    };
    for (const name of ["pointerup", "pointercancel", "pointerleave"]) {
      this.frame.addEventListener(name, end as (event: Event) => void);
    }
  }
}
