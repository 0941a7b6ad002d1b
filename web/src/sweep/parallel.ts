// Parallel coordinates: an axis for each column and a line for each case. Dragging along an axis chooses a range of it.
import { number } from "../page/text";
import { colour, seriesColour } from "../page/theme";
import { Canvas } from "./canvas";
import { scaleOf, type Rows, type Scale } from "./rows";
import { line } from "./scatter";

const TOP = 34, BOTTOM = 22, SIDE = 60, MOST_LINES = 3000;

export class Parallel {
  private readonly canvas: Canvas;
  private scales: Scale[] = [];

  constructor(private readonly rows: Rows, home: HTMLElement) {
    this.canvas = new Canvas(home, `Parallel coordinates of ${rows.columns.map((column) => column.name).join(", ")}`, 320, () => this.paint());
    rows.onChange(() => this.canvas.draw());
    this.canvas.onDrag((x0, y0, _, y1) => {
      const k = this.nearest(x0), ends = [this.scales[k].value(y0), this.scales[k].value(y1)];
      rows.setBrushes([[k, [Math.min(...ends), Math.max(...ends)]]]);
    }, (x) => rows.setBrushes([[this.nearest(x), undefined]]));
  }

  private place(k: number): number {
    return SIDE + (k * (this.canvas.width - 2 * SIDE)) / Math.max(1, this.rows.columns.length - 1);
  }

  private nearest(x: number): number {
    let best = 0;
    this.rows.columns.forEach((_, k) => {
      if (Math.abs(this.place(k) - x) < Math.abs(this.place(best) - x)) best = k;
    });
    return best;
  }

  private paint(): void {
    const { context: c, width, height } = this.canvas, { rows } = this;
    this.scales = rows.values.map((values) => scaleOf(values, height - BOTTOM, TOP));
    c.clearRect(0, 0, width, height);
    const stride = Math.max(1, Math.ceil(rows.count / MOST_LINES));
    for (const front of [0, 1]) {
      for (let i = 0; i < rows.count; i += stride) {
        if (rows.chosen[i] !== front) continue;
        c.globalAlpha = front ? Math.max(0.06, Math.min(0.6, 60 / rows.count)) : 0.015;
        this.drawRow(i, rows.failed[i] ? colour("bad") : seriesColour(0), 1);
      }
    }
    c.globalAlpha = 1;
    this.drawRow(rows.shown, colour("text"), 2);
    c.font = "11px system-ui, sans-serif";
    rows.columns.forEach((column, k) => this.drawAxis(k, column.varies));
  }

  // The line of a case ends where it has no values.
  private drawRow(i: number, paint: string, width: number): void {
    const { context: c } = this.canvas;
    c.strokeStyle = paint;
    c.lineWidth = width;
    c.beginPath();
    let begun = false;
    for (let k = 0; k < this.rows.columns.length; ++k) {
      const value = this.rows.values[k][i];
      if (!Number.isFinite(value)) break;
      if (begun) c.lineTo(this.place(k), this.scales[k].at(value));
      else c.moveTo(this.place(k), this.scales[k].at(value));
      begun = true;
    }
    c.stroke();
  }

  private drawAxis(k: number, varies: boolean): void {
    const { context: c, height } = this.canvas, x = this.place(k), scale = this.scales[k];
    c.strokeStyle = colour("muted");
    c.lineWidth = 1;
    line(c, x, TOP, x, height - BOTTOM);
    c.textAlign = "center";
    c.fillStyle = varies ? colour("accent") : colour("text");
    c.fillText(this.rows.columns[k].name, x, k % 2 === 0 ? 12 : 25);
    c.fillStyle = colour("muted");
    c.fillText(number(scale.from, 5), x, height - 8);
    c.textAlign = "left";
    c.fillText(number(scale.to, 5), x + 4, TOP + 4);
    const brush = this.rows.brush(k);
    if (!brush) return;
    c.fillStyle = colour("accent");
    c.globalAlpha = 0.35;
    c.fillRect(x - 6, scale.at(brush[1]), 12, scale.at(brush[0]) - scale.at(brush[1]));
    c.globalAlpha = 1;
  }
}
