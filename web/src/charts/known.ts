// Known values over time, drawn as points over the curve of the same quantity: a reference, or the table of another program.
import uPlot from "uplot";
import { folded } from "./angles";
import type { Series } from "./groups";
import { colour } from "../page/theme";

export interface Known { source: string; t: number[]; values: number[] }

// Those that a range of time shows stretch the axis.
export function reach(series: Series[], from: number, to: number): { low: number; high: number } {
  const range = { low: Infinity, high: -Infinity };
  for (const { known = [] } of series)
    for (const { t, values } of known)
      values.forEach((v, i) => { if (t[i] >= from && t[i] <= to) { range.low = Math.min(range.low, v); range.high = Math.max(range.high, v); } });
  return range;
}

export const knownNote = (series: Series[]): string | undefined => {
  const sources = [...new Set(series.flatMap(({ known = [] }) => known.map(({ source }) => source)))];
  return sources.length > 0 ? `points: ${sources.join(", ")}` : undefined;
};

// Rings in the colour of the curve, with the paper inside, so that curve and point can be distinguished.
export function drawKnown(u: uPlot, series: Series[], modulo: boolean, look: (index: number) => string, isHidden: (index: number) => boolean): void {
  const { ctx, bbox } = u, scale = uPlot.pxRatio, radius = 2.6 * scale;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left - radius, bbox.top - radius, bbox.width + 2 * radius, bbox.height + 2 * radius);
  ctx.clip();
  ctx.lineWidth = 1.2 * scale;
  ctx.fillStyle = colour("card");
  series.forEach(({ known = [], axis = "y" }, index) => {
    if (isHidden(index)) return;
    ctx.strokeStyle = look(index);
    for (const { t, values } of known) {
      values.forEach((value, i) => {
        const x = u.valToPos(t[i], "x", true), y = u.valToPos(modulo ? folded(value) : value, axis, true);
        if (!Number.isFinite(x) || !Number.isFinite(y)) return; // 0 on a logarithmic axis
        ctx.beginPath();
        ctx.arc(x, y, radius, 0, 2 * Math.PI);
        ctx.fill();
        ctx.stroke();
      });
    }
  });
  ctx.restore();
}
