// Where cases fail: over two of the varied numbers, the share of the cases in each cell that failed.
import { element, number } from "../page/text";
import { colour } from "../page/theme";
import { Canvas } from "./canvas";
import { scaleOf, type Rows } from "./rows";

const CELLS = 16, LEFT = 58, BOTTOM = 34, TOP = 8, RIGHT = 10;

export class FailureMap {
  private readonly canvas: Canvas;
  private x = 0;
  private y: number;

  constructor(private readonly rows: Rows, home: HTMLElement) {
    const varied = rows.columns.map((column, k) => (column.varies ? k : -1)).filter((k) => k >= 0);
    this.y = varied[Math.min(1, varied.length - 1)];
    const chooser = (axis: "x" | "y") => {
      const select = element("select", { "aria-label": `The ${axis} axis of the map` });
      for (const k of varied) select.append(element("option", { value: String(k), ...(k === this[axis] ? { selected: "" } : {}) }, rows.columns[k].name));
      select.onchange = () => {
        this[axis] = Number(select.value);
        this.canvas.draw();
      };
      return element("label", {}, `${axis} `, select);
    };
    home.append(element("div", { class: "axes" }, chooser("x"), chooser("y")));
    this.canvas = new Canvas(home, "Share of the cases that failed", 300, () => this.paint());
  }

  private paint(): void {
    const { context: c, width, height } = this.canvas, { rows } = this;
    const x = scaleOf(rows.values[this.x], LEFT, width - RIGHT), y = scaleOf(rows.values[this.y], height - BOTTOM, TOP);
    const all = new Uint32Array(CELLS * CELLS), failed = new Uint32Array(CELLS * CELLS);
    const cell = (value: number, from: number, to: number) => Math.min(CELLS - 1, Math.floor(((value - from) / (to - from)) * CELLS));
    for (let i = 0; i < rows.count; ++i) {
      const place = cell(rows.values[this.x][i], x.from, x.to) * CELLS + cell(rows.values[this.y][i], y.from, y.to);
      ++all[place];
      if (rows.failed[i]) ++failed[place];
    }
    c.clearRect(0, 0, width, height);
    const wide = (width - LEFT - RIGHT) / CELLS, tall = (height - TOP - BOTTOM) / CELLS;
    for (let i = 0; i < CELLS; ++i) {
      for (let k = 0; k < CELLS; ++k) {
        const count = all[i * CELLS + k];
        if (count === 0) continue;
        c.globalAlpha = 1;
        c.fillStyle = colour("grid");
        c.fillRect(LEFT + i * wide, height - BOTTOM - (k + 1) * tall, wide - 1, tall - 1);
        c.globalAlpha = failed[i * CELLS + k] / count;
        c.fillStyle = colour("bad");
        c.fillRect(LEFT + i * wide, height - BOTTOM - (k + 1) * tall, wide - 1, tall - 1);
      }
    }
    c.globalAlpha = 1;
    c.fillStyle = colour("muted");
    c.font = "11px system-ui, sans-serif";
    c.textAlign = "center";
    x.ticks.filter((_, k) => k % 2 === 0).forEach((tick) => c.fillText(number(tick, 5), x.at(tick), height - BOTTOM + 13));
    c.fillText(rows.title(this.x), (LEFT + width) / 2, height - 5);
    c.textAlign = "right";
    y.ticks.forEach((tick) => c.fillText(number(tick, 5), LEFT - 5, y.at(tick) + 4));
  }
}
