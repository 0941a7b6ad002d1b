// From metres to pixels: a plane that can be moved and enlarged, or space seen from a direction that can be turned.

export interface Seen { x: number; y: number; near: number }

export class Camera {
  private scale = 1;
  private zoom = 1;
  private panX = 0;
  private panY = 0;
  private width = 1;
  private height = 1;
  private readonly fixed: [number, number, number];
  private centre: [number, number, number];
  private followed = 0; // m: the size of what is followed; 0: nothing is
  private azimuth = -0.9;
  private elevation = 0.42;

  constructor(readonly spatial: boolean, readonly low: number[], readonly high: number[]) {
    this.fixed = this.centre = [0, 1, 2].map((k) => 0.5 * ((low[k] ?? 0) + (high[k] ?? 0))) as [number, number, number];
  }

  // Keeps this place in the middle, in a picture for something so large; undefined: shows everything.
  follow(place: [number, number, number] | undefined, size: number): void {
    const followed = place ? size : 0;
    this.centre = place ?? this.fixed;
    if (followed === this.followed) return;
    this.followed = followed;
    this.resize(this.width, this.height);
  }

  // The length of the picture's diagonal in m.
  get diagonal(): number {
    if (this.followed > 0) return 1.6 * this.followed;
    return Math.hypot(...this.high.map((value, k) => value - this.low[k])) || 1;
  }

  get middle(): readonly number[] {
    return this.centre;
  }

  get pixelsPerMetre(): number {
    return this.scale * this.zoom;
  }

  resize(width: number, height: number): void {
    this.width = width;
    this.height = height;
    const margin = 56;
    const wide = Math.max(40, width - 2 * margin), tall = Math.max(40, height - 2 * margin);
    const [x, y] = this.spatial || this.followed > 0 ? [0.85 * this.diagonal, 0.85 * this.diagonal] : [this.high[0] - this.low[0], this.high[1] - this.low[1]];
    this.scale = Math.min(wide / (x || 1e-9), tall / (y || 1e-9));
    if (!Number.isFinite(this.scale)) this.scale = 1;
  }

  see(x: number, y: number, z: number): Seen {
    let right = x - this.centre[0], up = y - this.centre[1], near = 0;
    if (this.spatial) {
      const ca = Math.cos(this.azimuth), sa = Math.sin(this.azimuth), ce = Math.cos(this.elevation), se = Math.sin(this.elevation);
      const dx = right, dy = up, dz = z - this.centre[2];
      right = -sa * dx + ca * dy;
      const away = ca * dx + sa * dy;
      up = ce * dz - se * away;
      near = ce * away + se * dz;
    }
    const s = this.pixelsPerMetre;
    return { x: 0.5 * this.width + this.panX + s * right, y: 0.5 * this.height + this.panY - s * up, near };
  }

  // The floor lies a little below everything.
  get floor(): number {
    return this.low[2] - 0.05 * this.diagonal;
  }

  // The directions to the right, up and towards the viewer.
  private directions(): number[][] {
    const ca = Math.cos(this.azimuth), sa = Math.sin(this.azimuth), ce = Math.cos(this.elevation), se = Math.sin(this.elevation);
    return [[-sa, ca, 0], [-se * ca, -se * sa, ce], [ce * ca, ce * sa, se]];
  }

  // They as a matrix by columns.
  turned(): Float32Array {
    const rows = this.directions();
    return new Float32Array([0, 1, 2].flatMap((k) => rows.map((row) => row[k])));
  }

  // see() as a matrix by columns, for WebGL: what is near has the smaller depth.
  matrix(): Float32Array {
    const s = this.pixelsPerMetre, scales = [(2 * s) / this.width, (2 * s) / this.height, -1 / (4 * this.diagonal)];
    const rows = this.directions().map((row, i) => row.map((x) => scales[i] * x));
    const move = [(2 * this.panX) / this.width, (-2 * this.panY) / this.height, 0];
    const last = rows.map((row, i) => move[i] - row.reduce((sum, x, k) => sum + x * this.centre[k], 0));
    return new Float32Array([0, 1, 2].flatMap((k) => [rows[0][k], rows[1][k], rows[2][k], 0]).concat(last, 1));
  }

  move(dx: number, dy: number): void {
    this.panX += dx;
    this.panY += dy;
  }

  turn(azimuth: number, elevation: number): void {
    this.azimuth += azimuth;
    this.elevation = Math.min(1.5, Math.max(-1.5, this.elevation + elevation));
  }

  enlarge(factor: number): void {
    const next = Math.min(40, Math.max(0.2, this.zoom * factor));
    this.panX *= next / this.zoom;
    this.panY *= next / this.zoom;
    this.zoom = next;
  }

  reset(): void {
    this.zoom = 1;
    this.panX = this.panY = 0;
    this.azimuth = -0.9;
    this.elevation = 0.42;
  }
}
