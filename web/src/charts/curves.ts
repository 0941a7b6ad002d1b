// The numbers that a chart draws: times, then a curve for each series. What moves faster than the frames show is drawn as a
// filled band between its extremes, the upper edge in the place of the curve and the lower edges behind all others. Series
// may have times of their own: they are merged, and each line spans those of the others.
import type uPlot from "uplot";
import { folded, foldedBand, foldedCurve } from "./angles";
import type { Series } from "./groups";

const SMALLEST = 1e-20; // as in groups.ts
type Value = number | null;
type Curve = { t: ArrayLike<number>; values: Value[] };

export interface Drawn { data: (Float64Array | (Value | undefined)[])[]; lower: number[]; bands: { upper: number; lower: number; series: number }[] }

const shown = (v: number): Value => (!Number.isFinite(v) ? null : Math.abs(v) < SMALLEST ? 0 : v);

// `zero`: where 0 is drawn on a logarithmic axis. `modulo`: `turn` folds angles into one turn, `shift` moves those that stay
// in theirs.
export function curvesOf(series: Series[], zero: number | undefined, modulo: "turn" | "shift" | undefined): Drawn {
  const place = (s: Series) => (v: number) => (v === 0 && zero !== undefined && !s.axis ? zero : shown(modulo === "shift" ? folded(v) : v));
  const curve = (s: Series): Curve => {
    if (modulo === "turn") return foldedCurve(s.t, s.values);
    return { t: s.t, values: Array.from(s.values, place(s)) };
  };
  const bandOf = (s: Series) => (s.band && modulo ? foldedBand(s.band) : s.band);
  const edges = series.map(bandOf);
  const upper = series.map((s, i): Curve => {
    const band = edges[i];
    return band ? { t: band.t, values: Array.from(band.high, place(s)) } : curve(s);
  });
  const lower = series.flatMap((_, i) => (edges[i] ? [i] : []));
  const all = [...upper, ...lower.map((i): Curve => ({ t: edges[i]!.t, values: Array.from(edges[i]!.low, place(series[i])) }))];
  const bands = lower.map((i, k) => ({ upper: i + 1, lower: series.length + 1 + k, series: i }));
  if (all.every(({ t }) => t === all[0].t)) return { data: [Float64Array.from(all[0].t), ...all.map(({ values }) => values)], lower, bands };
  const t = Float64Array.from(new Set(all.flatMap((c) => Array.from(c.t)))).sort();
  const at = new Map(Array.from(t, (time, i) => [time, i]));
  const spread = ({ t: times, values }: Curve): (Value | undefined)[] => {
    const wide = new Array<Value | undefined>(t.length).fill(undefined); // spanned, where null is a gap
    Array.from(times).forEach((time, i) => (wide[at.get(time)!] = values[i]));
    return wide;
  };
  return { data: [t, ...all.map(spread)], lower, bands };
}

// Zero has no place on a logarithmic axis: it is drawn a decade below the least that is not, and the mark there says 0.
// Where there is nothing but zero the axis is a plain one.
export function logAxis(series: Series[]): { log: boolean; zero?: number } {
  const values = series.filter((s) => !s.axis).flatMap((s) => Array.from(s.values));
  const least = values.reduce((low, v) => (v > 0 && v < low ? v : low), Infinity);
  if (least === Infinity) return { log: false };
  return values.includes(0) ? { log: true, zero: 10 ** (Math.floor(Math.log10(least)) - 1) } : { log: true };
}

// What runs away is a spike at the very end of a plain axis: there the axis is plain near 0 and logarithmic further out.
export function runsAway(series: Series[]): boolean {
  const sizes = series.flatMap((s) => Array.from(s.values, Math.abs)).filter((v) => Number.isFinite(v) && v > 0).sort((a, b) => a - b);
  return sizes.length > 2 && sizes[sizes.length - 1] > 1e9 * Math.max(1, sizes[Math.floor(sizes.length / 20)]);
}
export const signedPowers = (_u: uPlot, _axis: number, low: number, high: number): number[] => {
  const step = Math.max(1, Math.ceil(Math.log10(Math.max(-low, high, 10)) / 6));
  const powers = Array.from({ length: 7 }, (_, k) => Number(`1e${k * step}`)).filter((v) => v > 1);
  return [...powers.map((v) => -v).reverse(), 0, ...powers].filter((v) => v >= low && v <= high);
};

// uPlot knows the distances of marks up to 1e32; what runs away goes further.
export const distances: uPlot.Axis.Incrs = Array.from({ length: 2 * 330 }, (_, i) => [1, 2, 2.5, 5].map((d) => Number(`${d}e${i - 350}`))).flat().filter(Number.isFinite);

// A readable label for a logarithmic axis; only powers of ten get one, and the mark of zero.
export const powers = (zero: number | undefined) => (_: uPlot, splits: (number | null)[]) => splits.map((v) => {
  if (v === null || v <= 0) return "";
  if (zero !== undefined && v < 1.001 * zero) return v > 0.999 * zero ? "0" : "";
  const e = Math.log10(v);
  return Math.abs(e - Math.round(e)) < 1e-9 ? `1e${Math.round(e)}`.replace("-", "−") : "";
});

// Over many decades lines between the powers of ten would be a grey sheet.
export const decades = (_: uPlot, splits: number[]): (number | null)[] => {
  const [first, last] = [splits[0], splits[splits.length - 1]];
  return last < 1e4 * first ? splits : splits.map((v) => (Math.abs(Math.log10(v) - Math.round(Math.log10(v))) < 1e-9 ? v : null));
};

export const quarters = [-2, -1, 0, 1, 2].map((k) => (k * Math.PI) / 2);
export const quarterNames = ["−π", "−π/2", "0", "π/2", "π"];
