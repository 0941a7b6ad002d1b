// How often a column takes its values: all cases, and those that are chosen in front of them.
import { number } from "../page/text";
import { colour, seriesColour } from "../page/theme";
import { Canvas } from "./canvas";
import { scaleOf, type Rows } from "./rows";
import { line } from "./scatter";

const BINS = 30, BOTTOM = 20, TOP = 6, SIDE = 8;

export class Histogram {
  private readonly canvas: Canvas;

  constructor(private readonly rows: Rows, home: HTMLElement, private readonly column: number) {
    this.canvas = new Canvas(home, `Histogram of ${rows.title(column)}`, 130, () => this.paint());
    rows.onChange(() => this.canvas.draw());
    this.canvas.onDrag((x0, _, x1) => {
      const scale = this.scale(), ends = [scale.value(x0), scale.value(x1)];
      rows.setBrushes([[column, [Math.min(...ends), Math.max(...ends)]]]);
    }, () => rows.setBrushes([[column, undefined]]));
  }

  private scale() { return scaleOf(this.rows.values[this.column], SIDE, this.canvas.width - SIDE); }

  private paint(): void {
    const { context: c, width, height } = this.canvas, { rows } = this, scale = this.scale();
    const all = new Uint32Array(BINS), chosen = new Uint32Array(BINS), failed = new Uint32Array(BINS);
    rows.values[this.column].forEach((value, i) => {
      if (!Number.isFinite(value)) return;
      const bin = Math.min(BINS - 1, Math.floor(((value - scale.from) / (scale.to - scale.from)) * BINS));
      ++all[bin];
      if (rows.chosen[i]) ++chosen[bin];
      if (rows.failed[i] && rows.chosen[i]) ++failed[bin];
    });
    const most = Math.max(1, ...all);
    c.clearRect(0, 0, width, height);
    const bar = (counts: Uint32Array, paint: string) => {
      c.fillStyle = paint;
      const wide = (width - 2 * SIDE) / BINS;
      counts.forEach((count, k) => {
        const tall = (count / most) * (height - TOP - BOTTOM);
        c.fillRect(SIDE + k * wide + 0.5, height - BOTTOM - tall, wide - 1, tall);
      });
    };
    bar(all, colour("edge"));
    bar(chosen, seriesColour(0));
    bar(failed, colour("bad"));
    c.fillStyle = colour("muted");
    c.font = "11px system-ui, sans-serif";
    c.textAlign = "left";
    c.fillText(number(scale.from, 5), SIDE, height - 5);
    c.textAlign = "right";
    c.fillText(number(scale.to, 5), width - SIDE, height - 5);
    const at = rows.values[this.column][rows.shown];
    if (!Number.isFinite(at)) return;
    c.strokeStyle = colour("text");
    line(c, scale.at(at), TOP, scale.at(at), height - BOTTOM);
  }
}
