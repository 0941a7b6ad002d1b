// Where every point of the drawing is at a position between frames, with the deformation of beams enlarged.
import type { DrawingElement, Report } from "../page/data";
import { defaultView, type View } from "../charts/range";

// Turns all points so that the axis which is up in the model is the third: gravity pulls downwards on the screen too.
function turnUp(points: Float32Array, up: number): void {
  const turns: Record<number, ((x: number, y: number, z: number) => [number, number, number]) | undefined> = {
    1: (x, y, z) => [-z, y, x], [-1]: (x, y, z) => [z, y, -x], 2: (x, y, z) => [x, -z, y], [-2]: (x, y, z) => [x, z, -y],
    [-3]: (x, y, z) => [x, -y, -z],
  };
  const turn = turns[up];
  for (let i = 0; turn && i < points.length; i += 3) points.set(turn(points[i], points[i + 1], points[i + 2]), i);
}

export interface Travel { points: number[]; size: number }

export class Motion {
  readonly dimension: number;
  readonly frames: number;
  exaggeration = 1;
  leaves: number | undefined; // s, from when a run that diverges is beyond the picture
  private readonly stride: number;
  private readonly rigidOf = new Map<number, number>(); // of a point of a deformed beam: where it would be

  constructor(private readonly report: Report) {
    const drawing = report.about.drawing;
    this.dimension = drawing.dimension;
    this.stride = drawing.points.length * drawing.dimension;
    this.frames = this.stride > 0 ? report.points.length / this.stride : 0;
    if (this.dimension === 3) turnUp(report.points, drawing.up ?? 3);
    for (const beam of this.beams) {
      const half = beam.points.length / 2;
      for (let i = 0; i < half; ++i) this.rigidOf.set(beam.points[half + i], beam.points[i]);
    }
  }

  get beams(): DrawingElement[] {
    return this.report.about.drawing.elements.filter((e) => e.kind === "beam");
  }

  private coordinate(position: number, point: number, k: number): number {
    const i = Math.min(Math.floor(position), this.frames - 1), f = position - i;
    const at = i * this.stride + point * this.dimension + k;
    const here = this.report.points[at];
    return f > 0 && i + 1 < this.frames ? here + f * (this.report.points[at + this.stride] - here) : here;
  }

  place(position: number, point: number): [number, number, number] {
    const rigid = this.rigidOf.get(point);
    const result: [number, number, number] = [0, 0, 0];
    for (let k = 0; k < this.dimension; ++k) {
      const here = this.coordinate(position, point, k);
      if (rigid === undefined) { result[k] = here; continue; }
      const base = this.coordinate(position, rigid, k);
      result[k] = base + this.exaggeration * (here - base);
    }
    return result;
  }

  // The corners of all that is drawn in any frame, but for those of a run that diverges. The second point of a block only gives its direction.
  bounds(): { low: number[]; high: number[] } {
    const used = new Set<number>();
    for (const e of this.report.about.drawing.elements) (e.kind === "block" ? e.points.slice(0, 1) : e.points).forEach((p) => used.add(p));
    const views = Array.from({ length: this.dimension }, (_, k) => {
      const lows = new Float64Array(this.frames).fill(Infinity), highs = new Float64Array(this.frames).fill(-Infinity);
      for (let frame = 0; frame < this.frames; ++frame) {
        for (const point of used) {
          const value = this.coordinate(frame, point, k);
          if (!Number.isFinite(value)) continue;
          lows[frame] = Math.min(lows[frame], value);
          highs[frame] = Math.max(highs[frame], value);
        }
      }
      return this.viewOf(lows, highs);
    });
    const leaves = views.map((view) => view.leaves).filter((t): t is number => t !== undefined);
    if (leaves.length > 0) this.leaves = Math.min(...leaves);
    const ends = views.map(({ shown }) => (shown.low <= shown.high ? shown : { low: 0, high: 0 }));
    return { low: ends.map((end) => end.low), high: ends.map((end) => end.high) };
  }

  private viewOf(low: Float64Array, high: Float64Array): View {
    const t = this.report.t;
    return defaultView({ name: "", unit: "m", t, values: low, band: { t, low, high } }, this.report.backwards);
  }

  // Of a mechanism that goes much further than it is large: its moving points, and its size in m. What is joined to a point
  // that never moves reaches as far as that point, so a pendulum does not travel.
  travels(): Travel | undefined {
    if (this.frames < 2) return undefined;
    const parts = this.report.about.drawing.elements.filter((e) => !["ground", "wall", "rail", "trace"].includes(e.kind)).map((e) => e.points);
    const moments: number[] = [];
    for (let frame = 0; frame < this.frames; frame += Math.max(1, Math.floor(this.frames / 50))) moments.push(frame);
    const moves = (point: number) => {
      const from = this.place(0, point);
      return from.every(Number.isFinite) && moments.some((frame) => this.place(frame, point).some((x, k) => x !== from[k]));
    };
    const points = [...new Set(parts.flat())].filter(moves), moving = new Set(points);
    if (points.length === 0) return undefined;
    const reach = new Set(parts.filter((part) => part.some((point) => moving.has(point))).flat());
    const lowest = [Infinity, Infinity, Infinity], highest = [-Infinity, -Infinity, -Infinity];
    let size = 0;
    for (const frame of moments) {
      const middle = this.middle(frame, points);
      for (const point of reach) size = Math.max(size, 2 * Math.hypot(...this.place(frame, point).map((x, k) => x - middle[k])));
      middle.forEach((x, k) => { lowest[k] = Math.min(lowest[k], x); highest[k] = Math.max(highest[k], x); });
    }
    const way = Math.hypot(...highest.map((x, k) => x - lowest[k]));
    return Number.isFinite(size) && size > 0 && way > 4 * size ? { points, size } : undefined;
  }

  middle(position: number, points: number[]): [number, number, number] {
    const sum: [number, number, number] = [0, 0, 0];
    for (const point of points) this.place(position, point).forEach((x, k) => (sum[k] += x / points.length));
    return sum;
  }

  // The largest deflection of any beam in m, before it diverges.
  deflection(): number {
    const sizes = new Float64Array(this.frames);
    for (let frame = 0; frame < this.frames; ++frame) {
      for (const [point, rigid] of this.rigidOf) {
        let sum = 0;
        for (let k = 0; k < this.dimension; ++k) sum += (this.coordinate(frame, point, k) - this.coordinate(frame, rigid, k)) ** 2;
        sizes[frame] = Math.max(sizes[frame], Math.sqrt(sum));
      }
    }
    return Math.max(0, this.viewOf(sizes, sizes).shown.high);
  }
}
