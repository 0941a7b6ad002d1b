// One plot over time: a panel of series that share an axis, with a legend whose entries switch them on and off.
import uPlot from "uplot";
import { folded } from "./angles";
import { curvesOf, decades, distances, logAxis, powers, quarterNames, quarters, runsAway, signedPowers, type Drawn } from "./curves";
import type { Group, Series } from "./groups";
import { drawKnown, knownNote, reach } from "./known";
import type { Mark } from "./marks";
import type { View } from "./range";
import { element, number } from "../page/text";
import { colour, onThemeChange, seriesColour, seriesDash, seriesSample } from "../page/theme";

// The moment that is shown, and who moves it: a player or a click.
export interface Clock {
  readonly time: number; readonly position: number; readonly playing: boolean;
  seek(position: number): void; seekTime(time: number): void; play(): void; onMove(listener: () => void): void;
}

export interface Panel { group: Group; series: Series[]; modulo?: "turn" | "shift"; view: View }

interface Neighbours { clock: Clock; times: { first: number; last: number }; marks: Mark[]; zoomed(source: Chart, low: number | undefined, high: number | undefined): void }

export const isEmpty = (series: Series) => !Array.from(series.values).some(Number.isFinite);

function nearest(t: Float64Array, time: number): number {
  let low = 0, high = t.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (t[middle] <= time) low = middle; else high = middle;
  }
  return time - t[low] < t[high] - time ? low : high;
}

// The pen is lifted where there is no value: uPlot clips gaps instead, which leaves an upright line between two turns.
const pieces: uPlot.Series.PathBuilder = (u, index, first, last) => {
  const stroke = new Path2D(), [t] = u.data, values = u.data[index], scale = u.series[index].scale ?? "y";
  let down = false;
  for (let i = first; i <= last; ++i) {
    const value = values[i];
    if (value === undefined) continue;
    if (value === null) { down = false; continue; }
    const x = u.valToPos(t[i], "x", true), y = u.valToPos(value, scale, true);
    if (down) stroke.lineTo(x, y); else stroke.moveTo(x, y);
    down = true;
  }
  return { stroke, fill: null, clip: null, band: null, gaps: [], flags: 0 };
};

// `quantity / unit`, as on paper.
export function axisLabel({ group, series }: Panel): string {
  const plain = series.filter((s) => !s.axis), unit = plain[0].unit;
  const quantity = plain.length === 1 ? plain[0].name : group.symbol;
  return unit === "" || unit === "1" ? quantity : `${quantity} / ${/[/,]/.test(unit) ? `(${unit})` : unit}`;
}

// For those who do not see it.
function describe(panel: Panel): string {
  const { group, series } = panel;
  const parts = series.slice(0, 8).map((s) => {
    const values = Array.from(s.values).filter(Number.isFinite);
    if (values.length === 0) return `${s.name} without values`;
    const reached = s.band ? [...values, ...s.band.low, ...s.band.high].filter(Number.isFinite) : values;
    const [low, high] = reached.reduce(([a, b], v) => [Math.min(a, v), Math.max(b, v)], [Infinity, -Infinity]);
    return `${s.name} from ${number(low, 4)} to ${number(high, 4)}, at the end ${number(values[values.length - 1], 4)}`;
  });
  const more = series.length > 8 ? `; and ${series.length - 8} more` : "";
  return `${group.title} over time, ${axisLabel(panel)}: ${parts.join("; ")}${more}. Plus and minus enlarge and shrink, 0 shows everything.`;
}

export function heading(group: Group, series: Series[] = []): HTMLElement {
  const filled = series.some((s) => s.band) ? "filled: from least to largest, faster than the frames" : undefined;
  const note = [group.note, filled, knownNote(series)].filter(Boolean).join(" · ");
  return element("header", {}, element("h2", {}, group.title), element("span", { class: "unit", title: note }, note));
}

export class Chart {
  readonly card: HTMLElement;
  private readonly box: HTMLElement;
  private chart!: uPlot;
  private drawn!: Drawn;
  private readonly head = element("div", { class: "playhead" });
  private readonly outputs: HTMLElement[] = [];
  private readonly hidden = new Set<number>();
  private hovered: number | null = null;
  private everything = false; // of what diverges
  private readonly resized: ResizeObserver;
  private gone = false;
  private readonly log: boolean;
  private readonly zero: number | undefined;

  constructor(private readonly panel: Panel, home: HTMLElement, private readonly board: Neighbours) {
    const { group, series } = panel;
    this.box = element("div", { class: "chart", tabindex: "0", role: "img", "aria-label": describe(panel) });
    this.box.addEventListener("keydown", (event) => this.onKey(event));
    const legend = element("div", { class: "legend", role: "group", "aria-label": `Series of ${group.title}` });
    this.card = element("article", { class: "card plot", "data-plot": group.title }, heading(group, series), this.box, legend);
    if (panel.view.leaves !== undefined) this.card.append(this.beyond(panel.view.leaves));
    if (group.missing && series.some(isEmpty)) this.card.append(element("p", { class: "missing" }, group.missing));
    home.append(this.card);
    ({ log: this.log, zero: this.zero } = group.log ? logAxis(series) : { log: false, zero: undefined });
    series.forEach((s, i) => legend.append(this.entry(s, i)));
    this.make();
    this.resized = new ResizeObserver(() => { if (this.box.clientWidth > 0) { this.chart.setSize(this.size()); this.showTime(board.clock.time); } });
    this.resized.observe(this.box);
    onThemeChange(() => { if (!this.gone) this.chart.redraw(); });
  }

  private size() { return { width: this.box.clientWidth, height: this.box.clientHeight }; }
  private look(index: number): number { return this.panel.series[index].look ?? index; }

  private make(): void {
    this.drawn = curvesOf(this.panel.series, this.zero, this.panel.modulo);
    this.chart = new uPlot({ ...this.size(), ...this.options() }, this.drawn.data as uPlot.AlignedData, this.box);
    this.chart.over.append(this.head);
    let before = { position: 0, playing: false }; // a double click shows everything: it is no click on a moment
    this.chart.over.addEventListener("click", (event) => {
      const { clock } = this.board, left = this.chart.cursor.left ?? -1;
      if (event.detail > 1) {
        clock.seek(before.position);
        if (before.playing) clock.play();
        return;
      }
      before = { position: clock.position, playing: clock.playing };
      if (left >= 0 && this.chart.select.width < 3) clock.seekTime(this.chart.posToVal(left, "x"));
    });
  }

  // What the axis leaves out of a run that diverges, and the switch that shows it.
  private beyond(leaves: number): HTMLElement {
    const { low, high } = this.panel.view.all;
    const end = Math.abs(low) > Math.abs(high) ? low : high;
    const change = element("button", { type: "button", class: "toggle", "aria-pressed": "false" }, "Show everything");
    change.onclick = () => {
      this.everything = !this.everything;
      change.setAttribute("aria-pressed", String(this.everything));
      const { min, max } = this.chart.scales.x;
      this.chart.destroy();
      this.make();
      this.zoom(min ?? this.board.times.first, max ?? this.board.times.last);
      for (const i of this.hidden) this.setShown(i, false);
    };
    return element("p", { class: "beyond" }, `Diverges: beyond the axis from t = ${number(leaves, 6)} s, to ${number(end, 2)}. `, change);
  }

  // The part of the axis that a range of time needs.
  private range(u: uPlot, low: number | null, high: number | null): uPlot.Range.MinMax {
    const { view, series } = this.panel, { min, max } = u.scales.x;
    if (low === null || high === null) return [-1, 1];
    const points = reach(series, min ?? -Infinity, max ?? Infinity);
    const cut = view.leaves !== undefined && !this.everything && !(min !== undefined && min > view.leaves);
    if (!cut) return uPlot.rangeNum(Math.min(low, points.low), Math.max(high, points.high), 0.1, true);
    return uPlot.rangeNum(Math.max(low, view.shown.low), Math.min(high, view.shown.high), 0.1, true);
  }

  private yAxis(): { marks: Partial<uPlot.Axis>; scale: uPlot.Scale } {
    const { group, series, modulo } = this.panel;
    if (modulo === "turn") return { marks: { splits: () => quarters, values: () => quarterNames }, scale: { range: [-1.02 * Math.PI, 1.02 * Math.PI] } };
    const wild = group.failed === true && !group.log && (this.everything || this.panel.view.leaves === undefined) && runsAway(series);
    if (wild) return { marks: { incrs: distances, splits: signedPowers, filter: (_, splits) => splits }, scale: { distr: 4, asinh: 1 } };
    if (this.log) return { marks: { values: powers(this.zero) as uPlot.Axis.Values, grid: { stroke: () => colour("grid"), width: 1, filter: decades } }, scale: { distr: 3 } };
    if (group.log) return { marks: { splits: () => [0] }, scale: { range: [-1, 1] } }; // nothing but zero: one mark, in the middle
    return { marks: { incrs: distances }, scale: { range: (u, low, high) => this.range(u, low, high) } };
  }

  private options(): Omit<uPlot.Options, "width" | "height"> {
    const { group, series } = this.panel, { marks, scale } = this.yAxis();
    const axis = (extra: Partial<uPlot.Axis>): uPlot.Axis => ({
      stroke: () => colour("muted"), font: "11px system-ui, sans-serif", labelFont: "11px system-ui, sans-serif", labelSize: 16, labelGap: 0,
      grid: { stroke: () => colour("grid"), width: 1 }, ticks: { show: false }, ...extra,
    });
    const axes: uPlot.Axis[] = [
      axis({ size: 22, label: "t / s", values: (_, splits) => splits.map((v) => number(v, 5)) }),
      axis({ size: 54, label: axisLabel(this.panel), values: (_, splits) => splits.map((v) => number(v, 4)), ...marks }),
    ];
    if (group.rightLabel) axes.push(axis({ scale: "order", side: 1, size: 34, grid: { show: false }, label: group.rightLabel, labelSize: 14, incrs: [1, 2, 5, 10] }));
    const few = (s: Series) => s.dots === true && s.t.length < 400;
    return {
      legend: { show: false },
      bands: this.drawn.bands.map(({ upper, lower, series: i }) => ({ series: [upper, lower], fill: () => `${seriesColour(this.look(i))}80` })),
      padding: [10, group.rightLabel ? 0 : 12, 0, 0],
      scales: { x: { time: false }, y: scale, order: { range: (_u, low, high) => [Math.max(0, Math.floor(low) - 1), Math.ceil(high) + 1] } },
      axes,
      cursor: {
        sync: { key: "raak", setSeries: false, scales: ["x", null] },
        points: { size: 6 }, drag: { x: true, y: false, setScale: true },
      },
      series: [{}, ...series.map((s, i) => ({
        label: s.name, scale: s.axis ?? "y", stroke: () => seriesColour(this.look(i)), dash: seriesDash(this.look(i)), width: 1.6, pxAlign: 0,
        points: { show: few(s), size: 4 }, paths: s.axis ? uPlot.paths.stepped?.({ align: -1 }) : this.panel.modulo === "turn" && !s.band ? pieces : undefined,
      })), ...this.drawn.lower.map((i) => ({ stroke: () => seriesColour(this.look(i)), width: 1.6, pxAlign: 0, points: { show: false } }))],
      hooks: {
        setScale: [(u, key) => { if (key === "x") this.board.zoomed(this, u.scales.x.min, u.scales.x.max); }],
        setCursor: [(u) => { this.hovered = u.cursor.left !== undefined && u.cursor.left >= 0 ? u.posToVal(u.cursor.left, "x") : null; this.showValues(); }],
        drawAxes: [(u) => this.drawMarks(u)],
        draw: [(u) => drawKnown(u, series, this.panel.modulo !== undefined, (i) => seriesColour(this.look(i)), (i) => this.hidden.has(i)),
          () => this.showTime(this.board.clock.time)],
      },
    };
  }

  // Upright lines where events and singular configurations are.
  private drawMarks(u: uPlot): void {
    const { ctx, bbox } = u, scale = uPlot.pxRatio;
    ctx.save();
    ctx.lineWidth = scale;
    for (const mark of this.board.marks) {
      const x = u.valToPos(mark.t, "x", true);
      if (!(x >= bbox.left && x <= bbox.left + bbox.width)) continue;
      ctx.strokeStyle = colour(mark.kind === "event" ? "accent" : "bad");
      ctx.setLineDash(mark.kind === "event" ? [4 * scale, 3 * scale] : [scale, 2 * scale]);
      ctx.beginPath();
      ctx.moveTo(x, bbox.top);
      ctx.lineTo(x, bbox.top + bbox.height);
      ctx.stroke();
    }
    ctx.restore();
  }

  private entry(series: Series, index: number): HTMLElement {
    const value = element("span", { class: "value" }), look = this.look(index);
    this.outputs.push(value);
    const swatch = element("i", { "aria-hidden": "true", ...(seriesDash(look).length > 0 ? { class: "dashed" } : {}) });
    const paint = () => (swatch.style.background = seriesSample(look));
    paint();
    onThemeChange(paint);
    const made = element("button", { type: "button", "aria-pressed": "true", title: series.tip ?? "Click: show or hide. Double-click: only this one" },
      swatch, element("span", { class: "name" }, series.name), value);
    if (series.tip) made.setAttribute("aria-label", `${series.name}: ${series.tip}`);
    made.onclick = () => this.setShown(index, made.getAttribute("aria-pressed") !== "true");
    made.ondblclick = () => this.panel.series.forEach((_, i) => this.setShown(i, i === index));
    return made;
  }

  // Around the moment shown.
  private onKey(event: KeyboardEvent): void {
    const factor = ({ "+": 0.5, "=": 0.5, "-": 2, "0": Infinity } as Record<string, number | undefined>)[event.key];
    if (factor === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const { first, last } = this.board.times, now = this.board.clock.time;
    const { min = first, max = last } = this.chart.scales.x, half = 0.5 * factor * (max - min);
    if (!(2 * half < last - first)) this.zoom(first, last);
    else this.zoom(Math.max(first, now - half), Math.min(last, now + half));
  }

  private setShown(index: number, on: boolean): void {
    if (on) this.hidden.delete(index); else this.hidden.add(index);
    this.card.querySelectorAll(".legend button")[index].setAttribute("aria-pressed", String(on));
    this.chart.setSeries(index + 1, { show: on });
    const edge = this.drawn.lower.indexOf(index);
    if (edge >= 0) this.chart.setSeries(this.panel.series.length + 1 + edge, { show: on });
  }

  showTime(time: number): void {
    const left = this.chart ? this.chart.valToPos(time, "x") : -1;
    const inside = left >= 0 && left <= this.chart.over.clientWidth;
    this.head.style.display = inside ? "" : "none";
    if (inside) this.head.style.transform = `translateX(${left.toFixed(1)}px)`;
  }

  showValues(): void {
    const time = this.hovered ?? this.board.clock.time, place = this.panel.modulo ? folded : (v: number) => v;
    this.panel.series.forEach((s, i) => { if (this.outputs[i]) this.outputs[i].textContent = number(place(s.values[nearest(s.t, time)]), 4); });
  }

  discard(): void {
    this.gone = true;
    this.resized.disconnect();
    this.chart.destroy();
    this.card.remove();
  }

  get axis(): { min?: number; max?: number } {
    const { min, max } = this.chart.scales.y;
    return { min, max };
  }

  zoom(low: number, high: number): void {
    this.chart.setScale("x", { min: low, max: high });
  }
}
