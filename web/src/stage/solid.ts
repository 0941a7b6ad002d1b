// Draws a spatial mechanism as shaded solids with WebGL 2: instances of a few shapes, and lines. The picture is painted onto
// the canvas of the stage, so that names, printing and everything else stay as they are; without WebGL there is none, and
// the stage draws its projection instead.

export type Point = [number, number, number];
type Mesh = "ball" | "rod" | "box" | "wire";

const VERTEX = `#version 300 es
uniform mat4 view; uniform mat3 turn; uniform float floorAt; uniform bool shadow;
in vec3 at; in vec3 normal; in vec4 m0; in vec4 m1; in vec4 m2; in vec4 m3; in vec4 tint;
out vec3 facing; out vec4 colour;
void main() {
  mat3 axes = mat3(m0.xyz, m1.xyz, m2.xyz); // at right angles to each other
  vec4 place = vec4(axes * at + m3.xyz, 1.0);
  if (shadow) place.z = floorAt;
  facing = turn * (axes * (normal / vec3(dot(m0.xyz, m0.xyz), dot(m1.xyz, m1.xyz), dot(m2.xyz, m2.xyz))));
  colour = tint;
  gl_Position = view * place;
}`;
const FRAGMENT = `#version 300 es
precision highp float;
uniform bool shadow; uniform vec4 flatColour;
in vec3 facing; in vec4 colour; out vec4 result;
void main() {
  if (shadow) { result = flatColour; return; }
  vec3 n = normalize(facing);
  float light = 0.55 + 0.40 * max(0.0, dot(n, normalize(vec3(-0.45, 0.8, 0.6)))) + 0.12 * n.y;
  float shine = max(0.0, dot(n, normalize(vec3(-0.25, 0.5, 1.0))));
  shine *= shine; shine *= shine; shine *= shine; shine *= shine; shine *= shine;
  result = vec4(colour.rgb * light + 0.25 * shine, colour.a);
}`;
const LINE_VERTEX = `#version 300 es
uniform mat4 view; in vec3 at; void main() { gl_Position = view * vec4(at, 1.0); }`;
const LINE_FRAGMENT = `#version 300 es
precision highp float; uniform vec4 flatColour; out vec4 result; void main() { result = flatColour; }`;

function ball(rings: number, sides: number): number[] {
  const data: number[] = [];
  const at = (i: number, j: number) => {
    const a = (Math.PI * i) / rings, b = (2 * Math.PI * j) / sides;
    return [Math.sin(a) * Math.cos(b), Math.sin(a) * Math.sin(b), Math.cos(a)];
  };
  for (let i = 0; i < rings; ++i) {
    for (let j = 0; j < sides; ++j) {
      const quad = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
      for (const k of [0, 1, 2, 0, 2, 3]) data.push(...quad[k], ...quad[k]);
    }
  }
  return data;
}

// Radius 1 about the z axis, from 0 to 1.
function rod(sides: number): number[] {
  const data: number[] = [];
  for (let j = 0; j < sides; ++j) {
    const [a, b] = [j, j + 1].map((k) => (2 * Math.PI * k) / sides).map((w) => [Math.cos(w), Math.sin(w)]);
    for (const [[x, y], z] of [[a, 0], [b, 0], [b, 1], [a, 0], [b, 1], [a, 1]] as [number[], number][]) data.push(x, y, z, x, y, 0);
    for (const z of [0, 1]) for (const [x, y] of [[0, 0], a, b]) data.push(x, y, z, 0, 0, 2 * z - 1);
  }
  return data;
}

// The same as thin wire, of which a spring has hundreds of pieces: few sides, and no ends, which nobody sees.
function wire(): number[] {
  const sides = 5, data: number[] = [];
  for (let j = 0; j < sides; ++j) {
    const [a, b] = [j, j + 1].map((k) => (2 * Math.PI * k) / sides).map((w) => [Math.cos(w), Math.sin(w)]);
    for (const [[x, y], z] of [[a, 0], [b, 0], [b, 1], [a, 0], [b, 1], [a, 1]] as [number[], number][]) data.push(x, y, z, x, y, 0);
  }
  return data;
}

// From -1 to 1.
function box(): number[] {
  const data: number[] = [];
  for (let axis = 0; axis < 3; ++axis) {
    for (const side of [-1, 1]) {
      const corner = (u: number, v: number) => [0, 1, 2].map((k) => (k === axis ? side : k === (axis + 1) % 3 ? u : v));
      const normal = [0, 1, 2].map((k) => (k === axis ? side : 0));
      for (const [u, v] of [[-1, -1], [1, -1], [1, 1], [-1, -1], [1, 1], [-1, 1]]) data.push(...corner(u, v), ...normal);
    }
  }
  return data;
}

const minus = (a: Point, b: Point): Point => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const cross = (a: Point, b: Point): Point => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const times = (s: number, a: Point): Point => [s * a[0], s * a[1], s * a[2]];
const unit = (a: Point): Point => times(1 / (Math.hypot(...a) || 1), a);
// Two directions across a given one.
function across(along: Point): [Point, Point] {
  const help: Point = Math.abs(along[2]) < 0.9 * Math.hypot(...along) ? [0, 0, 1] : [1, 0, 0];
  const u = unit(cross(help, along));
  return [u, unit(cross(along, u))];
}

export function rgb(text: string): [number, number, number] {
  const part = (at: number) => parseInt(text.slice(at, at + 2), 16) / 255;
  return /^#[0-9a-f]{6}$/i.test(text) ? [part(1), part(3), part(5)] : [0.5, 0.5, 0.5];
}

export class Solid {
  readonly canvas = document.createElement("canvas");
  readonly software: boolean; // no graphics card: every pixel costs time
  private readonly gl: WebGL2RenderingContext;
  private readonly solids: WebGLProgram;
  private readonly wires: WebGLProgram;
  private readonly meshes = new Map<Mesh, { array: WebGLVertexArrayObject; vertices: number; instances: WebGLBuffer }>();
  private readonly wireArray: WebGLVertexArrayObject;
  private readonly wireBuffer: WebGLBuffer;
  private readonly queue = new Map<Mesh, number[]>([["ball", []], ["rod", []], ["box", []], ["wire", []]]);
  private readonly places = new Map<string, WebGLUniformLocation | null>();
  private readonly lines: { points: number[]; colour: string; alpha: number; strip: boolean }[] = [];

  // Undefined where the browser has no WebGL 2.
  static make(): Solid | undefined {
    try {
      const solid = new Solid();
      return solid.gl.isContextLost() ? undefined : solid;
    } catch {
      return undefined;
    }
  }

  // Edges are smoothed by painting larger and shrinking, of which there can be as much as the machine can bear.
  private constructor() {
    const gl = this.canvas.getContext("webgl2", { antialias: false, alpha: true });
    if (!gl) throw new Error("no WebGL 2");
    this.gl = gl;
    const told = gl.getExtension("WEBGL_debug_renderer_info");
    this.software = /swiftshader|llvmpipe|software|basic render/i.test(String(gl.getParameter(told ? told.UNMASKED_RENDERER_WEBGL : gl.RENDERER)));
    this.solids = this.program(VERTEX, FRAGMENT);
    this.wires = this.program(LINE_VERTEX, LINE_FRAGMENT);
    const [rings, sides, around] = this.software ? [6, 10, 12] : [10, 16, 20]; // every corner costs time, too
    for (const [name, data] of [["ball", ball(rings, sides)], ["rod", rod(around)], ["box", box()], ["wire", wire()]] as [Mesh, number[]][]) {
      const array = gl.createVertexArray() as WebGLVertexArrayObject, instances = gl.createBuffer() as WebGLBuffer;
      gl.bindVertexArray(array);
      gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
      gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(data), gl.STATIC_DRAW);
      this.attribute(this.solids, "at", 3, 24, 0);
      this.attribute(this.solids, "normal", 3, 24, 12);
      gl.bindBuffer(gl.ARRAY_BUFFER, instances);
      ["m0", "m1", "m2", "m3", "tint"].forEach((part, i) => gl.vertexAttribDivisor(this.attribute(this.solids, part, 4, 80, 16 * i), 1));
      this.meshes.set(name, { array, vertices: data.length / 6, instances });
    }
    this.wireArray = gl.createVertexArray() as WebGLVertexArrayObject;
    this.wireBuffer = gl.createBuffer() as WebGLBuffer;
    gl.bindVertexArray(this.wireArray);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.wireBuffer);
    this.attribute(this.wires, "at", 3, 12, 0);
  }

  private program(vertex: string, fragment: string): WebGLProgram {
    const gl = this.gl, made = gl.createProgram() as WebGLProgram;
    for (const [kind, source] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]] as [number, string][]) {
      const shader = gl.createShader(kind) as WebGLShader;
      gl.shaderSource(shader, source);
      gl.compileShader(shader);
      gl.attachShader(made, shader);
    }
    gl.linkProgram(made);
    if (!gl.getProgramParameter(made, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(made) ?? "no shader");
    return made;
  }

  private attribute(program: WebGLProgram, name: string, size: number, stride: number, offset: number): number {
    const place = this.gl.getAttribLocation(program, name);
    this.gl.enableVertexAttribArray(place);
    this.gl.vertexAttribPointer(place, size, this.gl.FLOAT, false, stride, offset);
    return place;
  }

  private place(program: WebGLProgram, name: string): WebGLUniformLocation | null {
    const key = (program === this.solids ? "solid " : "wire ") + name;
    if (!this.places.has(key)) this.places.set(key, this.gl.getUniformLocation(program, name));
    return this.places.get(key) ?? null;
  }

  private add(mesh: Mesh, x: Point, y: Point, z: Point, at: Point, colour: string): void {
    this.queue.get(mesh)?.push(...x, 0, ...y, 0, ...z, 0, ...at, 1, ...rgb(colour), 1);
  }

  sphere(at: Point, radius: number, colour: string): void {
    this.add("ball", [radius, 0, 0], [0, radius, 0], [0, 0, radius], at, colour);
  }

  cylinder(from: Point, to: Point, radius: number, colour: string, mesh: Mesh = "rod"): void {
    const along = minus(to, from);
    if (!(Math.hypot(...along) > 0)) return;
    const [u, v] = across(along);
    this.add(mesh, times(radius, u), times(radius, v), along, from, colour);
  }

  // A link with round ends along its points.
  tube(points: Point[], radius: number, colour: string): void {
    points.forEach((p, i) => {
      this.sphere(p, radius, colour);
      if (i > 0) this.cylinder(points[i - 1], p, radius, colour);
    });
  }

  // A wheel with spokes, by which it is seen to turn, from its centre and two points of the rim, a quarter turn apart.
  disc(centre: Point, rim: Point, quarter: Point, thickness: number, colour: string): void {
    const a = minus(rim, centre), b = minus(quarter, centre), axle = unit(cross(a, b));
    const on = (angle: number, share: number): Point => [0, 1, 2].map((k) => centre[k] + share * (Math.cos(angle) * a[k] + Math.sin(angle) * b[k])) as Point;
    const pieces = 28, spokes = 8, tyre = 0.55 * thickness, share = Math.max(0, 1 - tyre / (Math.hypot(...a) || 1));
    for (let i = 0; i < pieces; ++i) this.cylinder(on((2 * Math.PI * i) / pieces, share), on((2 * Math.PI * (i + 1.06)) / pieces, share), tyre, colour, "wire");
    for (let i = 0; i < spokes; ++i) this.cylinder(centre, on((2 * Math.PI * i) / spokes, share), 0.18 * thickness, colour, "wire");
    const half = times(0.9 * thickness, axle);
    this.cylinder(minus(centre, half), [0, 1, 2].map((k) => centre[k] + half[k]) as Point, 0.8 * thickness, colour);
  }

  block(centre: Point, ahead: Point, size: Point, colour: string): void {
    const along = unit(minus(ahead, centre)), [u, v] = across(along);
    this.add("box", times(0.5 * size[0], along), times(0.5 * size[1], u), times(0.5 * size[2], v), centre, colour);
  }

  // A helix of wire.
  coil(from: Point, to: Point, turns: number, radius: number, wire: number, colour: string): void {
    const along = minus(to, from), [u, v] = across(along), pieces = 10, steps = pieces * turns;
    let before: Point | undefined;
    for (let i = 0; i <= steps; ++i) {
      const s = i / steps, w = (2 * Math.PI * i) / pieces, r = radius * Math.min(1, 8 * s, 8 * (1 - s));
      const p = [0, 1, 2].map((k) => from[k] + s * along[k] + r * (Math.cos(w) * u[k] + Math.sin(w) * v[k])) as Point;
      if (before) this.cylinder(before, p, wire, colour, "wire");
      before = p;
    }
  }

  line(points: Point[], colour: string, alpha: number, strip = true): void {
    this.lines.push({ points: points.flat(), colour, alpha, strip });
  }

  // Paints what was added, seen through a matrix by columns and turned by another, and forgets it.
  paint(width: number, height: number, view: Float32Array, turn: Float32Array, floorAt: number, shade: string): HTMLCanvasElement {
    const gl = this.gl;
    if (this.canvas.width !== width || this.canvas.height !== height) { this.canvas.width = width; this.canvas.height = height; }
    gl.viewport(0, 0, width, height);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA); // colours are multiplied by their alpha
    const uniform = (program: WebGLProgram, name: string) => this.place(program, name);
    gl.useProgram(this.solids);
    gl.uniformMatrix4fv(uniform(this.solids, "view"), false, view);
    gl.uniformMatrix3fv(uniform(this.solids, "turn"), false, turn);
    gl.uniform1f(uniform(this.solids, "floorAt"), floorAt);
    gl.uniform4f(uniform(this.solids, "flatColour"), ...rgb(shade), 1);
    const draw = (shadow: boolean) => {
      gl.uniform1i(uniform(this.solids, "shadow"), shadow ? 1 : 0);
      for (const [name, mesh] of this.meshes) {
        const instances = this.queue.get(name) ?? [];
        if (instances.length === 0) continue;
        gl.bindVertexArray(mesh.array);
        gl.bindBuffer(gl.ARRAY_BUFFER, mesh.instances);
        if (shadow) gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(instances), gl.DYNAMIC_DRAW);
        gl.drawArraysInstanced(gl.TRIANGLES, 0, mesh.vertices, instances.length / 20);
      }
    };
    gl.disable(gl.DEPTH_TEST);
    draw(true);
    gl.enable(gl.DEPTH_TEST);
    draw(false);
    gl.useProgram(this.wires);
    gl.uniformMatrix4fv(uniform(this.wires, "view"), false, view);
    gl.bindVertexArray(this.wireArray);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.wireBuffer);
    for (const { points, colour, alpha, strip } of this.lines) {
      const [r, g, b] = rgb(colour);
      gl.uniform4f(uniform(this.wires, "flatColour"), alpha * r, alpha * g, alpha * b, alpha);
      gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(points), gl.DYNAMIC_DRAW);
      gl.drawArrays(strip ? gl.LINE_STRIP : gl.LINES, 0, points.length / 3);
    }
    this.queue.forEach((list) => (list.length = 0));
    this.lines.length = 0;
    return this.canvas;
  }
}
