// Angles modulo 2 pi: from -pi up to pi, in pieces that reach the edges of the axis.
import type { Band } from "../page/data";

export const turnOf = (angle: number) => Math.floor((angle + Math.PI) / (2 * Math.PI));
export const folded = (angle: number) => angle - 2 * Math.PI * turnOf(angle);

export function leavesItsTurn(values: ArrayLike<number>, band?: Band): boolean {
  const turns = new Set<number>();
  for (const list of [values, band?.low ?? [], band?.high ?? []]) {
    for (let i = 0; i < list.length; ++i) if (Number.isFinite(list[i])) turns.add(turnOf(list[i]));
  }
  return turns.size > 1;
}

// null lifts the pen between two turns.
export function foldedCurve(t: ArrayLike<number>, values: ArrayLike<number>): { t: number[]; values: (number | null)[] } {
  const times: number[] = [], drawn: (number | null)[] = [];
  const add = (time: number, value: number | null) => { times.push(time); drawn.push(value); };
  for (let i = 0; i < t.length; ++i) {
    const before = values[i - 1], now = values[i];
    const turns = i > 0 ? turnOf(now) - turnOf(before) : 0;
    if (Number.isFinite(turns) && turns !== 0) {
      const edge = Math.sign(turns) * Math.PI, ahead = Math.abs(edge - folded(before)), behind = Math.abs(folded(now) + edge);
      const small = 1e-6 * (t[i] - t[i - 1]);
      const meets = Math.abs(turns) === 1 ? t[i - 1] + (t[i] - t[i - 1]) * (ahead / (ahead + behind || 1)) : 0.5 * (t[i - 1] + t[i]);
      const at = Math.min(Math.max(meets, t[i - 1] + 2 * small), t[i] - 2 * small);
      if (Math.abs(turns) === 1) add(at - small, edge);
      add(at, null);
      if (Math.abs(turns) === 1) add(at + small, -edge);
    }
    add(t[i], Number.isFinite(now) ? folded(now) : null);
  }
  return { t: times, values: drawn };
}

// A bin that touches two turns is filled from edge to edge.
export function foldedBand(band: Band): Band {
  const whole = (i: number) => turnOf(band.low[i]) !== turnOf(band.high[i]);
  return {
    t: band.t,
    low: Float64Array.from(band.low, (v, i) => (whole(i) ? -Math.PI : folded(v))),
    high: Float64Array.from(band.high, (v, i) => (whole(i) ? Math.PI : folded(v))),
  };
}
