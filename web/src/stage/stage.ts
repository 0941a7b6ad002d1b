// The moving picture of the mechanism, with its own controls: enlarge, move or turn, names, paths, deformation.
import { Camera, type Seen } from "./camera";
import type { DrawingElement, Report } from "../page/data";
import { Motion, type Travel } from "./motion";
import * as shapes from "./shapes";
import { Solid } from "./solid";
import { Pace } from "./pace";
import { floorLines, paintSpace } from "./space";
import { button, element, number } from "../page/text";
import { colour, onThemeChange, seriesColour } from "../page/theme";

const NAMED_KINDS = new Set(["pin", "ground", "mass", "disc"]);
const BODY_KINDS = new Set(["bar", "plate", "beam", "disc", "block", "mass"]);

export class Stage {
  readonly canvas: HTMLCanvasElement;
  framesDrawn = 0;
  firstDrawn = 0; // ms after the page was opened
  private readonly context: CanvasRenderingContext2D;
  private readonly motion: Motion;
  private readonly camera: Camera;
  private readonly colourOf = new Map<DrawingElement, number>();
  private readonly named: number[];
  private readonly coils = new Map<DrawingElement, number>();
  private readonly solid: Solid | undefined; // in space, where the browser has WebGL 2
  private pace = new Pace(false, () => undefined);
  private position = 0;
  private readonly travels: Travel | undefined;
  private follows = true;
  private names = true;
  private paths = true;

  constructor(private readonly report: Report, home: HTMLElement, controls: HTMLElement) {
    this.motion = new Motion(report);
    const { low, high } = this.motion.bounds();
    this.travels = this.motion.travels();
    this.camera = new Camera(this.motion.dimension === 3, low, high);
    const { elements, points } = report.about.drawing;
    let bodies = 0;
    for (const e of elements) if (BODY_KINDS.has(e.kind)) this.colourOf.set(e, bodies++);
    for (const e of elements) if (e.kind === "spring") this.coils.set(e, 9);
    const joints = new Set(elements.filter((e) => NAMED_KINDS.has(e.kind)).map((e) => e.points[0]));
    this.named = points.map((_, i) => i).filter((i) => points[i] !== "" && joints.has(i));
    this.canvas = element("canvas", { tabindex: "0", role: "img", class: "scene", "aria-label": this.describe() });
    if (this.camera.spatial) {
      this.canvas.dataset.orbit = "yes";
      this.solid = new URLSearchParams(location.search).has("flat") ? undefined : Solid.make();
      this.canvas.dataset.solid = this.solid ? "yes" : "no";
      this.pace = new Pace(this.solid?.software === true, () => this.draw());
    }
    this.context = this.canvas.getContext("2d") as CanvasRenderingContext2D;
    home.append(element("div", { class: "scene-box" }, this.canvas, this.tools()), controls);
    this.listen();
    new ResizeObserver(() => this.resize()).observe(this.canvas);
    onThemeChange(() => this.draw());
    this.resize();
  }

  // s, from when a run that diverges is beyond the picture.
  get leaves(): number | undefined {
    return this.motion.leaves;
  }

  show(position: number): void {
    this.position = position;
    this.draw();
  }

  private describe(): string {
    const parts = this.report.about.drawing.elements.filter((e) => e.name).map((e) => e.name);
    return `Animated drawing of ${this.report.run.title}. Parts: ${parts.join(", ")}.`;
  }

  private toggle(text: string, act: (on: boolean) => void): HTMLElement {
    const made = element("button", { type: "button", class: "toggle", "aria-pressed": "true" }, text);
    made.onclick = () => {
      const on = made.getAttribute("aria-pressed") !== "true";
      made.setAttribute("aria-pressed", String(on));
      act(on);
      this.draw();
    };
    return made;
  }

  private tools(): HTMLElement {
    const enlarge = button("Enlarge", "M11 5h2v6h6v2h-6v6h-2v-6H5v-2h6z"), shrink = button("Shrink", "M5 11h14v2H5z");
    const fit = button("Show everything", "M4 4h6v2H6v4H4zM14 4h6v6h-2V6h-4zM4 14h2v4h4v2H4zM18 14h2v6h-6v-2h4z");
    enlarge.onclick = () => this.change(() => this.camera.enlarge(1.25));
    shrink.onclick = () => this.change(() => this.camera.enlarge(0.8));
    fit.onclick = () => this.change(() => this.camera.reset());
    const tools = element("div", { class: "tools", role: "group", "aria-label": "View" }, enlarge, shrink, fit);
    if (this.travels) tools.append(this.toggle("Follow", (on) => (this.follows = on)));
    if (this.named.length > 0) tools.append(this.toggle("Names", (on) => (this.names = on)));
    if (this.report.about.drawing.elements.some((e) => e.kind === "trace")) tools.append(this.toggle("Paths", (on) => (this.paths = on)));
    if (this.motion.beams.length > 0) tools.append(this.deformationSlider());
    return tools;
  }

  // Logarithmic from true to scale up to a deflection of a quarter of the picture.
  private deformationSlider(): HTMLElement {
    const largest = Math.max(this.motion.deflection(), 1e-12 * this.camera.diagonal);
    const most = Math.max(1, Math.log10((0.25 * this.camera.diagonal) / largest));
    const usual = Math.max(0, Math.log10((0.05 * this.camera.diagonal) / largest));
    const slider = element("input", { type: "range", min: "0", max: most.toFixed(2), step: "0.01", value: usual.toFixed(2), id: "deformation" });
    const text = element("output", { for: "deformation" });
    const update = () => {
      this.motion.exaggeration = Number(Math.pow(10, Number(slider.value)).toPrecision(2));
      text.textContent = `${number(this.motion.exaggeration, 2)}×`;
      slider.setAttribute("aria-valuetext", text.textContent);
    };
    slider.oninput = () => this.change(update);
    update();
    return element("label", { class: "deformation" }, "Deformation", slider, text);
  }

  private change(act: () => void): void {
    act();
    this.draw();
  }

  private listen(): void {
    let held: { x: number; y: number } | undefined;
    this.canvas.onpointerdown = (event) => {
      held = { x: event.clientX, y: event.clientY };
      this.canvas.setPointerCapture(event.pointerId);
    };
    this.canvas.onpointerup = this.canvas.onpointercancel = () => (held = undefined);
    this.canvas.onpointermove = (event) => {
      if (!held) return;
      const dx = event.clientX - held.x, dy = event.clientY - held.y;
      held = { x: event.clientX, y: event.clientY };
      this.change(() => (this.camera.spatial && !event.shiftKey ? this.camera.turn(-0.01 * dx, 0.01 * dy) : this.camera.move(dx, dy)));
    };
    this.canvas.ondblclick = () => this.change(() => this.camera.reset());
    // Without Ctrl the wheel scrolls the page, as everywhere else.
    this.canvas.addEventListener("wheel", (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      this.change(() => this.camera.enlarge(Math.exp(-0.002 * event.deltaY)));
    }, { passive: false });
    this.canvas.addEventListener("keydown", (event) => {
      const turns: Record<string, [number, number]> = { ArrowLeft: [0.1, 0], ArrowRight: [-0.1, 0], ArrowUp: [0, 0.1], ArrowDown: [0, -0.1] };
      if (event.key === "+" || event.key === "=") this.change(() => this.camera.enlarge(1.25));
      else if (event.key === "-") this.change(() => this.camera.enlarge(0.8));
      else if (this.camera.spatial && turns[event.key]) { event.preventDefault(); this.change(() => this.camera.turn(...turns[event.key])); }
    });
  }

  private resize(): void {
    const ratio = window.devicePixelRatio || 1;
    const { clientWidth, clientHeight } = this.canvas;
    if (clientWidth === 0) return;
    this.canvas.width = Math.round(clientWidth * ratio);
    this.canvas.height = Math.round(clientHeight * ratio);
    this.camera.resize(clientWidth, clientHeight);
    this.draw();
  }

  private see(point: number): Seen {
    return this.camera.see(...this.motion.place(this.position, point));
  }

  private draw(): void {
    const c = this.context, ratio = window.devicePixelRatio || 1;
    c.setTransform(ratio, 0, 0, ratio, 0, 0);
    c.clearRect(0, 0, this.canvas.width, this.canvas.height);
    if (this.motion.frames === 0) return;
    if (this.travels) this.camera.follow(this.follows ? this.motion.middle(this.position, this.travels.points) : undefined, this.travels.size);
    const ink = { line: colour("text"), faint: colour("muted"), paper: colour("card"), ground: colour("muted") };
    if (this.solid) this.drawSolids(this.solid, ink);
    else {
      if (this.camera.spatial) this.floor(ink);
      for (const e of this.inOrder()) this.element(e, ink);
    }
    const names = this.report.about.drawing.points;
    if (this.names) shapes.labels(c, this.named.map((point) => ({ text: names[point], at: this.see(point) })), this.canvas.clientWidth, ink);
    if (this.framesDrawn++ === 0) this.firstDrawn = performance.now();
  }

  // In space what is far goes first; in the plane the model's order holds.
  private inOrder(): DrawingElement[] {
    const elements = this.report.about.drawing.elements;
    if (!this.camera.spatial) return elements;
    const nearness = (e: DrawingElement) => e.kind === "trace" ? -Infinity : e.points.reduce((sum, p) => sum + this.see(p).near, 0) / e.points.length;
    return elements.map((e) => ({ e, d: nearness(e) })).sort((a, b) => a.d - b.d).map(({ e }) => e);
  }

  // In the plane, a point that stays above everything else carries it from above.
  private hangs(point: number): boolean {
    const [, y] = this.motion.place(0, point), { low, high } = this.camera;
    return !this.camera.spatial && y > high[1] - 0.05 * (high[1] - low[1]);
  }

  private drawSolids(solid: Solid, ink: shapes.Ink): void {
    const sharpness = this.pace.sharpness(performance.now());
    const picture = paintSpace({
      solid, motion: this.motion, camera: this.camera, elements: this.report.about.drawing.elements, position: this.position, ink,
      colourOf: (e) => seriesColour(this.colourOf.get(e) ?? 0), accent: colour("accent"), paths: this.paths,
    }, Math.round(sharpness * this.canvas.width), Math.round(sharpness * this.canvas.height), colour("grid"));
    this.context.imageSmoothingQuality = sharpness > 1 ? "medium" : "low"; // anything better takes longer than the solids
    this.context.drawImage(picture, 0, 0, this.canvas.clientWidth, this.canvas.clientHeight);
  }

  private floor(ink: shapes.Ink): void {
    const c = this.context;
    c.strokeStyle = ink.faint;
    c.globalAlpha = 0.22;
    c.lineWidth = 1;
    for (const line of floorLines(this.camera)) {
      shapes.polyline(c, line.map((p) => this.camera.see(...p)));
      c.stroke();
    }
    c.globalAlpha = 1;
  }

  private trace(point: number, stroke: string): void {
    const c = this.context;
    const path = (from: number, to: number) => {
      const spots: Seen[] = [];
      for (let i = Math.ceil(from); i <= to; ++i) spots.push(this.camera.see(...this.motion.place(i, point)));
      if (to > Math.floor(to)) spots.push(this.see(point));
      shapes.polyline(c, spots);
      c.stroke();
    };
    c.strokeStyle = stroke;
    c.lineJoin = "round";
    c.lineWidth = 1.2;
    c.globalAlpha = 0.25;
    path(0, this.motion.frames - 1);
    c.globalAlpha = 0.85;
    c.lineWidth = 1.8;
    path(Math.max(0, this.position - 60), this.position);
    c.globalAlpha = 1;
  }

  private element(e: DrawingElement, ink: shapes.Ink): void {
    const c = this.context, s = e.points.map((p) => this.see(p));
    const own = seriesColour(this.colourOf.get(e) ?? 0), pixels = (e.size ?? 0) * this.camera.pixelsPerMetre;
    switch (e.kind) {
      case "bar": return shapes.bar(c, s, own, ink.paper, 11);
      case "plate": return shapes.plate(c, s, own, ink.paper, 12);
      case "beam": {
        const rigid = s.slice(0, s.length / 2);
        c.setLineDash([5, 5]);
        c.strokeStyle = ink.faint;
        c.lineWidth = 1;
        shapes.polyline(c, rigid);
        c.stroke();
        c.setLineDash([]);
        return shapes.bar(c, s.slice(s.length / 2), own, ink.paper, 9);
      }
      case "disc": {
        const quarter = s[2] ?? { x: s[0].x - (s[1].y - s[0].y), y: s[0].y + (s[1].x - s[0].x) };
        return shapes.disc(c, s[0], s[1], quarter, own, ink.paper);
      }
      case "block": return shapes.block(c, s[0], s[1] ?? { x: s[0].x + 1, y: s[0].y }, pixels || 44, own, ink.paper);
      case "mass": return shapes.mass(c, s[0], Math.max(4, pixels || 9), own);
      case "pin": return shapes.pin(c, s[0], ink);
      case "ground": return shapes.ground(c, s[0], ink, this.hangs(e.points[0]));
      case "wall": return shapes.wall(c, s[0], s[1], ink);
      case "rail": {
        c.strokeStyle = ink.ground;
        c.lineWidth = 2;
        shapes.polyline(c, s);
        return c.stroke();
      }
      case "spring": return shapes.spring(c, s[0], s[1], this.coils.get(e) ?? 9, ink.faint);
      case "damper": return shapes.damper(c, s[0], s[1], ink.faint);
      case "trace": return this.paths ? this.trace(e.points[0], colour("accent")) : undefined;
    }
  }
}
