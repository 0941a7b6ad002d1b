// Which range of values a plot shows. A run that diverges ends with values that dwarf all others: its axis shows what was
// before. The same rule as for --plot (src/output/plot_range.h).
import type { Series } from "./groups";

export interface Range { low: number; high: number }
export interface View { shown: Range; all: Range; leaves?: number } // leaves: s, from when values lie outside

const BULK = 0.9, NEARLY_ALL = 0.99; // of the time
const BLOW_UP = 20, GROWTH = 1.2, ROUNDING = 1e-12;

export const emptyRange = (): Range => ({ low: Infinity, high: -Infinity });
export const span = (range: Range) => (range.low <= range.high ? range.high - range.low : 0);
export const hull = (...ranges: Range[]): Range => ({ low: Math.min(...ranges.map((r) => r.low)), high: Math.max(...ranges.map((r) => r.high)) });

interface Moment { t: number; low: number; high: number }
function momentsOf(series: Series): Moment[] {
  const moments: Moment[] = [];
  const add = (t: number, low: number, high: number) => { if (Number.isFinite(low) && Number.isFinite(high)) moments.push({ t, low, high }); };
  series.t.forEach((t, i) => add(t, series.values[i], series.values[i]));
  series.band?.t.forEach((t, i) => add(t, series.band!.low[i], series.band!.high[i]));
  return moments.sort((a, b) => a.t - b.t);
}

const rangeOf = (moments: Moment[]) => moments.reduce((range, m) => ({ low: Math.min(range.low, m.low), high: Math.max(range.high, m.high) }), emptyRange());

// `backwards`: the run went to smaller times, so that it ends at the least.
export function defaultView(series: Series, backwards = false): View {
  const moments = momentsOf(series);
  const all = rangeOf(moments), everything = { shown: all, all };
  if (moments.length === 0) return everything;
  if (backwards) moments.reverse();
  const first = moments[0].t, whole = Math.abs(moments[moments.length - 1].t - first);
  const until = (share: number) => rangeOf(moments.filter((m) => Math.abs(m.t - first) <= share * whole));
  const before = until(BULK), late = until(NEARLY_ALL), half = (r: Range) => 0.5 * r.high - 0.5 * r.low;
  const diverges = half(all) > BLOW_UP * half(before) && half(all) > GROWTH * half(late);
  if (!diverges || span(before) <= ROUNDING * Math.max(Math.abs(before.low), Math.abs(before.high))) return everything;
  const shown = { low: Math.max(all.low, before.low - span(before)), high: Math.min(all.high, before.high + span(before)) };
  return { shown, all, leaves: moments.find((m) => m.low < shown.low || m.high > shown.high)?.t };
}
