// A canvas that fills its box, sharp on any screen, drawn anew when its size or the theme changes.
import { element } from "../page/text";
import { onThemeChange } from "../page/theme";

export class Canvas {
  readonly canvas: HTMLCanvasElement;
  readonly context: CanvasRenderingContext2D;
  width = 0;
  height = 0;
  private waiting = false;

  constructor(home: HTMLElement, label: string, height: number, private readonly paint: () => void) {
    this.canvas = element("canvas", { class: "rows", role: "img", "aria-label": label, style: `height:${height}px` });
    this.context = this.canvas.getContext("2d") as CanvasRenderingContext2D;
    home.append(this.canvas);
    new ResizeObserver(() => this.resize()).observe(this.canvas);
    onThemeChange(() => this.draw());
  }

  // Once for all changes before the next picture.
  draw(): void {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      if (this.width > 0) this.paint();
    });
  }

  // Dragging from one point to another; a click is a drag over less than 4 pixels.
  onDrag(drag: (x0: number, y0: number, x1: number, y1: number) => void, click: (x: number, y: number) => void): void {
    let from: [number, number] | undefined;
    const place = (event: PointerEvent): [number, number] => {
      const box = this.canvas.getBoundingClientRect();
      return [event.clientX - box.left, event.clientY - box.top];
    };
    this.canvas.onpointerdown = (event) => {
      from = place(event);
      this.canvas.setPointerCapture(event.pointerId);
    };
    this.canvas.onpointermove = (event) => {
      if (!from) return;
      const [x, y] = place(event);
      if (Math.hypot(x - from[0], y - from[1]) >= 4) drag(...from, x, y);
    };
    this.canvas.onpointerup = (event) => {
      if (!from) return;
      const [x, y] = place(event);
      if (Math.hypot(x - from[0], y - from[1]) < 4) click(x, y);
      from = undefined;
    };
  }

  private resize(): void {
    const box = this.canvas.getBoundingClientRect(), ratio = window.devicePixelRatio || 1;
    this.width = box.width;
    this.height = box.height;
    this.canvas.width = Math.round(box.width * ratio);
    this.canvas.height = Math.round(box.height * ratio);
    this.context.setTransform(ratio, 0, 0, ratio, 0, 0);
    if (this.width > 0) this.paint();
  }
}
