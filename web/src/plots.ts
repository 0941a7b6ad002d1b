// Plots over time that share their zoom, their pointer and the moment shown; series can be switched on and off.
import uPlot from "uplot";
import type { Band, Report } from "./data";
import type { Player } from "./player";
import { element, number } from "./text";
import { colour, onThemeChange, seriesColour, seriesDash, seriesSample } from "./theme";

interface Series { name: string; values: ArrayLike<number>; band?: Band; tip?: string; axis?: string; dots?: boolean }
interface Group { title: string; unit: string; t: Float64Array; series: Series[]; log?: boolean; wild?: boolean; note?: string; rightUnit?: string; missing?: string }

const MOST = 60; // series of a plot: more cannot be told apart
const SMALLEST = 1e-20; // what is smaller counts as nothing: the marks of an axis have no more decimals
const shown = (v: number) => (!Number.isFinite(v) ? null : Math.abs(v) < SMALLEST ? 0 : v);

// Why reactions have no value; nothing where they do.
function whyNot(run: Report["run"]): string | undefined {
  if (!run.reactions?.reason) return undefined;
  const joints = run.reactions.indeterminate.join(", ");
  return `No unique values${joints ? ` in ${joints}` : ""}: ${run.reactions.reason}.`;
}

const isEmpty = (series: Series) => !Array.from(series.values).some(Number.isFinite);

// The name of an acceleration: in space velocities have names of their own.
const rateOf = (name: string) => name.replace(/\.velocity\.(?=[xyz]$)/, ".acceleration.").replace(/\.omega\.(?=[xyz]$)/, ".alpha.");

function groupsOf(report: Report): Group[] {
  const { t, steps, about, run } = report;
  const named = (prefix: string, names: string[]): Series[] => names.flatMap((name) => {
    const values = report.column(prefix + name);
    return values ? [{ name, values, band: report.band(prefix + name) }] : [];
  });
  const outputs = Object.keys(run.outputs);
  const energy = outputs.filter((name) => name.startsWith("energy."));
  const own = outputs.filter((name) => !name.startsWith("energy."));
  const lambda = about.constraints.flatMap((text, i) => {
    const values = report.column(`lambda.${i + 1}`);
    return values ? [{ name: `λ${i + 1}`, values, band: report.band(`lambda.${i + 1}`), tip: text }] : [];
  });
  const ofKind = (...kinds: string[]): Series[] => report.accounts
    .filter(({ account, values }) => kinds.includes(account.kind) && Array.from(values).some((v) => v !== 0))
    .map(({ account, values, band }) => ({ name: account.name, values, band, tip: `${account.kind} of ${account.name}` }));
  // The units that occur among the columns; empty ones are those that the program could not tell.
  const unitsOf = (columns: string[], otherwise: string): string => {
    const told = columns.map((name) => about.units?.[about.columns.indexOf(name)] ?? "").map((unit) => unit.replace("^2", "²"));
    const kinds = [...new Set(told)].filter((unit) => unit !== "1" && unit !== "");
    return kinds.length > 0 && kinds.length < 5 ? kinds.join(", ") : otherwise;
  };
  const groups: Group[] = [
    { title: "Coordinates", unit: unitsOf(run.names.map((n) => "q." + n), "m, rad"), t, series: named("q.", run.names) },
    { title: "Velocities", unit: unitsOf(run.names_v.map((n) => "v." + n), "m/s, rad/s"), t, series: named("v.", run.names_v) },
    { title: "Accelerations", unit: unitsOf(run.names_v.map((n) => "a." + n), "m/s², rad/s²"), t, series: named("a.", run.names_v).map((s) => ({ ...s, name: rateOf(s.name) })) },
    { title: "Joint forces", unit: unitsOf(about.constraints.map((_, i) => `lambda.${i + 1}`), "N, N m"), t, series: lambda, note: "multipliers λ of the constraints", missing: whyNot(run) },
    { title: "Outputs", unit: unitsOf(own, ""), t, series: named("", own) },
    { title: "Energies", unit: "J", t, series: energy.filter((n) => n !== "energy.balance").flatMap((n) => named("", [n])).map((s) => ({ ...s, name: s.name.slice(7) })) },
    { title: "Energy balance", unit: "J", t, series: named("", ["energy.balance"]).map((s) => ({ ...s, name: "T + V − T₀ − V₀ − W" })),
      note: "Δ U: what integration and projection added" },
    { title: "Stored energy", unit: "J", t, series: ofKind("potential"), note: "force by force" },
    { title: "Work put in", unit: "J", t, series: ofKind("input", "driver"), note: "by each force and driver" },
    { title: "Dissipation", unit: "J", t, series: ofKind("dissipation").map((s) => ({ ...s, values: Array.from(s.values, (v) => -v), band: s.band && { t: s.band.t, low: s.band.high.map((v) => -v), high: s.band.low.map((v) => -v) } })), note: "taken by each damper" },
  ];
  if (steps.t.length > 0) {
    const merged = about.steps_a_row > 1 ? `a point stands for ${about.steps_a_row} steps` : "after every accepted step";
    const clean = (values: Float64Array) => Array.from(values, (v) => (v > SMALLEST || Number.isNaN(v) ? v : 0));
    groups.push(
      { title: "Constraint violation", unit: "m, rad; m/s, rad/s", t: steps.t, log: true, note: merged,
        series: [{ name: "position", values: clean(steps.position) }, { name: "velocity", values: clean(steps.velocity) }] },
      { title: "Step size and order", unit: "s", t: steps.t, log: true, rightUnit: "order", note: merged,
        series: [{ name: "step size h", values: clean(steps.h), dots: true }, { name: "order", values: steps.order, axis: "order" }] });
  }
  for (const g of groups) {
    g.wild = run.status === "failed" && runsAway(g);
    if (g.series.length <= MOST) continue;
    g.note = `the first ${MOST} of ${g.series.length}`;
    g.series = g.series.slice(0, MOST);
  }
  return groups.filter((g) => g.series.length > 0 && g.t.length > 1);
}

// Zero has no place on a logarithmic axis: it is drawn a decade below the least that is not, and the mark there says 0.
// Where there is nothing but zero the axis is a plain one.
function withZero(group: Group): { log: boolean; zero?: number } {
  if (!group.log) return { log: false };
  const values = group.series.filter((s) => !s.axis).flatMap((s) => Array.from(s.values));
  const least = values.reduce((low, v) => (v > 0 && v < low ? v : low), Infinity);
  if (least === Infinity) return { log: false };
  return values.includes(0) ? { log: true, zero: 10 ** (Math.floor(Math.log10(least)) - 1) } : { log: true };
}

// What runs away is a spike at the very end of a plain axis: there the axis is plain near 0 and logarithmic further out.
function runsAway(group: Group): boolean {
  const sizes = group.series.flatMap((s) => Array.from(s.values, Math.abs)).filter((v) => Number.isFinite(v) && v > 0).sort((a, b) => a - b);
  return !group.log && sizes.length > 2 && sizes[sizes.length - 1] > 1e9 * Math.max(1, sizes[Math.floor(sizes.length / 20)]);
}
const signedPowers = (_u: uPlot, _axis: number, low: number, high: number): number[] => {
  const step = Math.max(1, Math.ceil(Math.log10(Math.max(-low, high, 10)) / 6));
  const powers = Array.from({ length: 7 }, (_, k) => Number(`1e${k * step}`)).filter((v) => v > 1);
  return [...powers.map((v) => -v).reverse(), 0, ...powers].filter((v) => v >= low && v <= high);
};

// uPlot knows the distances of marks up to 1e32; what runs away goes further.
const distances: uPlot.Axis.Incrs = Array.from({ length: 2 * 330 }, (_, i) => [1, 2, 2.5, 5].map((d) => Number(`${d}e${i - 350}`))).flat().filter(Number.isFinite);

// The columns of a chart: times, then a curve for each series. What moves faster than the frames show is drawn as a
// filled band between its extremes, the upper edge in the place of the curve and the lower edges behind all others;
// times of frames and of bins are merged, and each line spans those of the other kind.
interface Drawn { data: (Float64Array | (number | null)[])[]; lower: number[]; bands: uPlot.Band[] }
function chartOf(group: Group, drawn: (s: Series) => (v: number) => number | null): Drawn {
  const curves = group.series.map((s) => Array.from(s.values, drawn(s)));
  const lower = group.series.flatMap((s, i) => (s.band ? [i] : []));
  const middles = lower.length > 0 ? group.series[lower[0]].band?.t : undefined;
  if (!middles) return { data: [group.t, ...curves], lower: [], bands: [] };
  const t = Float64Array.from(new Set([...group.t, ...middles])).sort();
  const place = new Map(Array.from(t, (time, i) => [time, i]));
  const spread = (times: Float64Array, values: ArrayLike<number | null>): (number | null)[] => {
    const wide = new Array<number | null>(t.length).fill(null);
    times.forEach((time, i) => (wide[place.get(time)!] = values[i]));
    return wide;
  };
  const edge = (s: Series, values: ArrayLike<number>) => spread(middles, Array.from(values, drawn(s)));
  const upper = group.series.map((s, i) => (s.band ? edge(s, s.band.high) : spread(group.t, curves[i])));
  return {
    data: [t, ...upper, ...lower.map((i) => edge(group.series[i], group.series[i].band!.low))],
    lower,
    bands: lower.map((i, k) => ({ series: [i + 1, group.series.length + 1 + k], fill: () => `${seriesColour(i)}80` })),
  };
}

function nearest(t: Float64Array, time: number): number {
  let low = 0, high = t.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (t[middle] <= time) low = middle; else high = middle;
  }
  return time - t[low] < t[high] - time ? low : high;
}

// A readable label for a logarithmic axis; only powers of ten get one, and the mark of zero.
const powers = (zero: number | undefined) => (_: uPlot, splits: (number | null)[]) => splits.map((v) => {
  if (v === null || v <= 0) return "";
  if (zero !== undefined && v < 1.001 * zero) return v > 0.999 * zero ? "0" : "";
  const e = Math.log10(v);
  return Math.abs(e - Math.round(e)) < 1e-9 ? `1e${Math.round(e)}`.replace("-", "−") : "";
});

// For those who do not see it.
function describe(group: Group): string {
  const parts = group.series.slice(0, 8).map((s) => {
    const values = Array.from(s.values).filter(Number.isFinite);
    if (values.length === 0) return `${s.name} without values`;
    const reached = s.band ? [...values, ...s.band.low, ...s.band.high].filter(Number.isFinite) : values;
    const [low, high] = reached.reduce(([a, b], v) => [Math.min(a, v), Math.max(b, v)], [Infinity, -Infinity]);
    return `${s.name} from ${number(low, 4)} to ${number(high, 4)}, at the end ${number(values[values.length - 1], 4)}`;
  });
  const more = group.series.length > 8 ? `; and ${group.series.length - 8} more` : "";
  return `${group.title} over time in ${group.unit}: ${parts.join("; ")}${more}. Plus and minus enlarge and shrink, 0 shows everything.`;
}

const heading = (group: Group) => element("header", {}, element("h2", {}, group.title),
  element("span", { class: "unit" }, [group.unit, group.note, group.series.some((s) => s.band) ? "filled: from least to largest, faster than the frames" : undefined].filter(Boolean).join(" · ")));

// In place of a frame without a curve.
const explained = (group: Group, why: string) => element("article", { class: "card plot", "data-plot": group.title }, heading(group),
  element("p", { class: "missing" }, why));

class Plot {
  readonly card: HTMLElement;
  private readonly chart: uPlot;
  private readonly head: HTMLElement;
  private readonly outputs: HTMLElement[] = [];
  private hovered: number | null = null;
  private readonly lower: number[]; // the series whose lower edges of bands follow all others in the chart
  private readonly bands: uPlot.Band[];
  private readonly log: boolean;
  private readonly zero: number | undefined;

  constructor(private readonly group: Group, home: HTMLElement, private readonly board: Board) {
    const box = element("div", { class: "chart", tabindex: "0", role: "img", "aria-label": describe(group) });
    box.addEventListener("keydown", (event) => this.onKey(event));
    const legend = element("div", { class: "legend", role: "group", "aria-label": `Series of ${group.title}` });
    this.card = element("article", { class: "card plot", "data-plot": group.title }, heading(group), box, legend);
    if (group.missing && group.series.some(isEmpty)) this.card.append(element("p", { class: "missing" }, group.missing));
    home.append(this.card);
    this.head = element("div", { class: "playhead" });
    const sizeOf = () => ({ width: box.clientWidth, height: box.clientHeight });
    ({ log: this.log, zero: this.zero } = withZero(group));
    const drawn = (s: Series) => (s.axis ? shown : (v: number) => (v === 0 && this.zero !== undefined ? this.zero : shown(v)));
    const { data, lower, bands } = chartOf(group, drawn);
    this.lower = lower;
    this.bands = bands;
    this.chart = new uPlot({ ...sizeOf(), ...this.options() }, data as uPlot.AlignedData, box);
    this.chart.over.append(this.head);
    let before = { position: 0, playing: false }; // a double click shows everything: it is no click on a moment
    this.chart.over.addEventListener("click", (event) => {
      const { player } = board, left = this.chart.cursor.left ?? -1;
      if (event.detail > 1) {
        player.seek(before.position);
        if (before.playing) player.play();
        return;
      }
      before = { position: player.position, playing: player.playing };
      if (left >= 0 && this.chart.select.width < 3) player.seekTime(this.chart.posToVal(left, "x"));
    });
    group.series.forEach((series, i) => legend.append(this.entry(series, i)));
    new ResizeObserver(() => { if (box.clientWidth > 0) { this.chart.setSize(sizeOf()); this.showTime(board.player.time); } }).observe(box);
    onThemeChange(() => { this.chart.redraw(); });
  }

  private options(): Omit<uPlot.Options, "width" | "height"> {
    const axis = (extra: Partial<uPlot.Axis>): uPlot.Axis => ({
      stroke: () => colour("muted"), font: "11px system-ui, sans-serif", labelFont: "11px system-ui, sans-serif",
      grid: { stroke: () => colour("grid"), width: 1 }, ticks: { show: false }, ...extra,
    });
    const nothing = this.group.log === true && !this.log; // the frame has one mark, 0, in the middle
    const wild = this.group.wild === true;
    const marks: Partial<uPlot.Axis> = wild ? { incrs: distances, splits: signedPowers, filter: (_, splits) => splits } : nothing ? { splits: [0] } : this.log ? { values: powers(this.zero) as uPlot.Axis.Values } : { incrs: distances };
    const axes: uPlot.Axis[] = [
      axis({ size: 26, values: (_, splits) => splits.map((v) => number(v, 5)) }),
      axis({ size: 58, values: (_, splits) => splits.map((v) => number(v, 4)), ...marks }),
    ];
    if (this.group.rightUnit) axes.push(axis({ scale: "order", side: 1, size: 34, grid: { show: false }, label: this.group.rightUnit, labelSize: 14, incrs: [1, 2, 5, 10] }));
    return {
      legend: { show: false },
      bands: this.bands,
      padding: [10, this.group.rightUnit ? 0 : 12, 0, 0],
      scales: { x: { time: false }, y: { distr: wild ? 4 : this.log ? 3 : 1, asinh: 1, ...(nothing ? { range: [-1, 1] as [number, number] } : {}) }, order: { range: (_u, low, high) => [Math.max(0, Math.floor(low) - 1), Math.ceil(high) + 1] } },
      axes,
      cursor: {
        sync: { key: "raak", setSeries: false, scales: ["x", null] },
        points: { size: 6 }, drag: { x: true, y: false, setScale: true },
      },
      series: [{}, ...this.group.series.map((s, i) => ({
        label: s.name, scale: s.axis ?? "y", stroke: () => seriesColour(i), dash: seriesDash(i), width: 1.6, pxAlign: 0,
        points: { show: s.dots === true && this.group.t.length < 400, size: 4 },
        paths: s.axis ? uPlot.paths.stepped?.({ align: -1 }) : undefined, spanGaps: true,
      })), ...this.lower.map((i) => ({ stroke: () => seriesColour(i), width: 1.6, pxAlign: 0, points: { show: false }, spanGaps: true }))],
      hooks: {
        setScale: [(u, key) => { if (key === "x") this.board.zoomed(this, u.scales.x.min, u.scales.x.max); }],
        setCursor: [(u) => { this.hovered = u.cursor.left !== undefined && u.cursor.left >= 0 ? u.posToVal(u.cursor.left, "x") : null; this.showValues(); }],
        draw: [() => this.showTime(this.board.player.time)],
      },
    };
  }

  private entry(series: Series, index: number): HTMLElement {
    const value = element("span", { class: "value" });
    this.outputs.push(value);
    const swatch = element("i", { "aria-hidden": "true", ...(seriesDash(index).length > 0 ? { class: "dashed" } : {}) });
    const paint = () => (swatch.style.background = seriesSample(index));
    paint();
    onThemeChange(paint);
    const made = element("button", { type: "button", "aria-pressed": "true", title: series.tip ?? "Click: show or hide. Double-click: only this one" },
      swatch, element("span", { class: "name" }, series.name), value);
    if (series.tip) made.setAttribute("aria-label", `${series.name}: ${series.tip}`);
    made.onclick = () => this.setShown(index, made.getAttribute("aria-pressed") !== "true");
    made.ondblclick = () => this.group.series.forEach((_, i) => this.setShown(i, i === index));
    return made;
  }

  // Around the moment shown.
  private onKey(event: KeyboardEvent): void {
    const factor = ({ "+": 0.5, "=": 0.5, "-": 2, "0": Infinity } as Record<string, number | undefined>)[event.key];
    if (factor === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const t = this.board.times, first = t[0], last = t[t.length - 1], now = this.board.player.time;
    const { min = first, max = last } = this.chart.scales.x, half = 0.5 * factor * (max - min);
    if (!(2 * half < last - first)) this.zoom(first, last);
    else this.zoom(Math.max(first, now - half), Math.min(last, now + half));
  }

  private setShown(index: number, on: boolean): void {
    this.card.querySelectorAll(".legend button")[index].setAttribute("aria-pressed", String(on));
    this.chart.setSeries(index + 1, { show: on });
    const edge = this.lower.indexOf(index);
    if (edge >= 0) this.chart.setSeries(this.group.series.length + 1 + edge, { show: on });
  }

  showTime(time: number): void {
    const left = this.chart ? this.chart.valToPos(time, "x") : -1;
    const inside = left >= 0 && left <= this.chart.over.clientWidth;
    this.head.style.display = inside ? "" : "none";
    if (inside) this.head.style.transform = `translateX(${left.toFixed(1)}px)`;
  }

  showValues(): void {
    const at = nearest(this.group.t, this.hovered ?? this.board.player.time);
    this.group.series.forEach((s, i) => { if (this.outputs[i]) this.outputs[i].textContent = number(s.values[at], 4); });
  }

  zoom(low: number, high: number): void {
    this.chart.setScale("x", { min: low, max: high });
  }
}

export class Board {
  private readonly plots: Plot[];
  private zooming = true; // while plots are made, each sets its own scale
  private valuesShown = 0;

  readonly times: Float64Array;

  constructor(report: Report, readonly player: Player, home: HTMLElement) {
    this.plots = [];
    this.times = report.t;
    for (const group of groupsOf(report)) {
      if (group.missing && group.series.every(isEmpty)) home.append(explained(group, group.missing));
      else this.plots.push(new Plot(group, home, this));
    }
    // The first scales are set in a microtask of uPlot.
    queueMicrotask(() => (this.zooming = false));
    setTimeout(() => this.plots.forEach((plot) => plot.zoom(report.t[0], report.t[report.t.length - 1])), 0);
    player.onMove(() => this.follow());
    player.controls.addEventListener("click", () => this.plots.forEach((plot) => plot.showValues()));
  }

  private follow(): void {
    const time = this.player.time;
    for (const plot of this.plots) plot.showTime(time);
    const now = performance.now();
    if (this.player.playing && now - this.valuesShown < 100) return; // no eye reads faster
    this.valuesShown = now;
    for (const plot of this.plots) plot.showValues();
  }

  zoomed(source: Plot, low: number | undefined, high: number | undefined): void {
    if (this.zooming || low === undefined || high === undefined) return;
    this.zooming = true;
    for (const plot of this.plots) if (plot !== source) plot.zoom(low, high);
    this.zooming = false;
  }
}
