// One column over another, a point for each case: dragging chooses cases, a click shows the nearest one.
import { element, number } from "../page/text";
import { colour, seriesColour } from "../page/theme";
import { Canvas } from "./canvas";
import { scaleOf, type Rows, type Scale } from "./rows";

const LEFT = 58, BOTTOM = 34, TOP = 8, RIGHT = 10;

export class Scatter {
  private readonly canvas: Canvas;
  private scaleX!: Scale;
  private scaleY!: Scale;

  constructor(private readonly rows: Rows, home: HTMLElement, public x: number, public y: number, private readonly height: number, small = false) {
    if (!small) home.append(element("div", { class: "axes" }, this.chooser("x", x, (k) => (this.x = k)), this.chooser("y", y, (k) => (this.y = k))));
    this.canvas = new Canvas(home, `${rows.title(y)} over ${rows.title(x)}`, height, () => this.paint());
    rows.onChange(() => this.canvas.draw());
    this.canvas.onDrag((x0, y0, x1, y1) => this.drag(x0, y0, x1, y1), (px, py) => this.pick(px, py));
    this.canvas.canvas.ondblclick = () => rows.setBrushes([[this.x, undefined], [this.y, undefined]]);
  }

  private chooser(axis: string, value: number, set: (column: number) => void): HTMLElement {
    const select = element("select", { "aria-label": `The ${axis} axis` });
    this.rows.columns.forEach((column, k) => select.append(element("option", { value: String(k), ...(k === value ? { selected: "" } : {}) }, column.name)));
    select.onchange = () => {
      set(Number(select.value));
      this.canvas.draw();
    };
    return element("label", {}, `${axis} `, select);
  }

  private drag(x0: number, y0: number, x1: number, y1: number): void {
    const span = (scale: Scale, a: number, b: number): [number, number] => {
      const [p, q] = [scale.value(a), scale.value(b)];
      return [Math.min(p, q), Math.max(p, q)];
    };
    if (this.x === this.y) this.rows.setBrushes([[this.x, span(this.scaleX, x0, x1)]]);
    else this.rows.setBrushes([[this.x, span(this.scaleX, x0, x1)], [this.y, span(this.scaleY, y0, y1)]]);
  }

  private pick(px: number, py: number): void {
    let nearest = -1, least = Infinity;
    for (let i = 0; i < this.rows.count; ++i) {
      const d = Math.hypot(this.scaleX.at(this.rows.values[this.x][i]) - px, this.heightOf(i) - py);
      if (d < least) [nearest, least] = [i, d];
    }
    if (nearest >= 0 && least < 30) this.rows.show(nearest);
  }

  // Cases without a value, which failed, lie on the line below.
  private heightOf(i: number): number {
    const value = this.rows.values[this.y][i];
    return Number.isFinite(value) ? this.scaleY.at(value) : this.height - BOTTOM - 2;
  }

  private paint(): void {
    const { context: c, width, height } = this.canvas, { rows } = this;
    this.scaleX = scaleOf(rows.values[this.x], LEFT, width - RIGHT);
    this.scaleY = scaleOf(rows.values[this.y], height - BOTTOM - 8, TOP);
    c.clearRect(0, 0, width, height);
    c.font = "11px system-ui, sans-serif";
    c.strokeStyle = colour("grid");
    c.fillStyle = colour("muted");
    c.lineWidth = 1;
    const narrow = Math.max(1, Math.ceil(this.scaleX.ticks.length / Math.max(2, (width - LEFT) / 70)));
    c.textAlign = "center";
    this.scaleX.ticks.forEach((tick, k) => {
      const at = this.scaleX.at(tick);
      line(c, at, TOP, at, height - BOTTOM);
      if (k % narrow === 0) c.fillText(number(tick, 5), at, height - BOTTOM + 13);
    });
    c.fillText(rows.title(this.x), (LEFT + width) / 2, height - 5);
    c.textAlign = "right";
    for (const tick of this.scaleY.ticks) {
      const at = this.scaleY.at(tick);
      line(c, LEFT, at, width - RIGHT, at);
      c.fillText(number(tick, 5), LEFT - 5, at + 4);
    }
    for (const front of [0, 1]) {
      for (let i = 0; i < rows.count; ++i) {
        if (rows.chosen[i] !== front) continue;
        c.globalAlpha = front ? 0.75 : 0.15;
        c.fillStyle = rows.failed[i] ? colour("bad") : seriesColour(0);
        const x = this.scaleX.at(rows.values[this.x][i]), y = this.heightOf(i);
        c.fillRect(x - 1.5, y - 1.5, 3, 3);
      }
    }
    c.globalAlpha = 1;
    this.frameBrush(c, height);
    c.strokeStyle = colour("text");
    c.lineWidth = 2;
    c.beginPath();
    c.arc(this.scaleX.at(rows.values[this.x][rows.shown]), this.heightOf(rows.shown), 5, 0, 7);
    c.stroke();
  }

  private frameBrush(c: CanvasRenderingContext2D, height: number): void {
    const x = this.rows.brush(this.x), y = this.rows.brush(this.y);
    if (!x && !y) return;
    const [left, right] = x ? x.map((v) => this.scaleX.at(v)) : [LEFT, this.canvas.width - RIGHT];
    const [bottom, top] = y ? y.map((v) => this.scaleY.at(v)) : [height - BOTTOM, TOP];
    c.strokeStyle = colour("accent");
    c.strokeRect(left, top, right - left, bottom - top);
  }
}

export function line(c: CanvasRenderingContext2D, x0: number, y0: number, x1: number, y1: number): void {
  c.beginPath();
  c.moveTo(x0, y0);
  c.lineTo(x1, y1);
  c.stroke();
}
