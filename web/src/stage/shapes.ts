// How the parts of a mechanism look, in pixels: the symbols of engineering drawings, drawn on a canvas.

export interface Spot { x: number; y: number }
export interface Ink { line: string; faint: string; paper: string; ground: string }
type Canvas = CanvasRenderingContext2D;

export function polyline(c: Canvas, spots: Spot[], close = false): void {
  c.beginPath();
  spots.forEach((s, i) => (i === 0 ? c.moveTo(s.x, s.y) : c.lineTo(s.x, s.y)));
  if (close) c.closePath();
}

// A share of one colour in another, both as #rrggbb: solid, so that what overlaps does not shine through.
function mix(colour: string, paper: string, share: number): string {
  const part = (text: string, at: number) => parseInt(text.slice(at, at + 2), 16);
  const both = [1, 3, 5].map((at) => Math.round(share * part(colour, at) + (1 - share) * part(paper, at)));
  return `rgb(${both.join(" ")})`;
}

// A link with round ends: an edge in its colour, filled with a lighter one.
export function bar(c: Canvas, spots: Spot[], colour: string, paper: string, width: number): void {
  c.lineCap = c.lineJoin = "round";
  polyline(c, spots);
  c.strokeStyle = colour;
  c.lineWidth = width;
  c.stroke();
  c.strokeStyle = mix(colour, paper, 0.34);
  c.lineWidth = width - 3;
  c.stroke();
}

export function plate(c: Canvas, spots: Spot[], colour: string, paper: string, width: number): void {
  c.lineJoin = "round";
  polyline(c, spots, true);
  c.strokeStyle = colour;
  c.lineWidth = width;
  c.stroke();
  c.strokeStyle = c.fillStyle = mix(colour, paper, 0.28);
  c.lineWidth = width - 3;
  c.stroke();
  c.fill();
}

export function pin(c: Canvas, at: Spot, ink: Ink, radius = 4.2): void {
  c.beginPath();
  c.arc(at.x, at.y, radius, 0, 2 * Math.PI);
  c.fillStyle = ink.paper;
  c.fill();
  c.strokeStyle = ink.line;
  c.lineWidth = 1.8;
  c.stroke();
}

function hatch(c: Canvas, from: Spot, to: Spot, ink: Ink): void {
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  const ux = (to.x - from.x) / length, uy = (to.y - from.y) / length;
  const nx = -uy, ny = ux; // to the right of the direction on a screen whose y points down
  c.strokeStyle = ink.ground;
  c.lineCap = "butt";
  c.lineWidth = 1.8;
  polyline(c, [from, to]);
  c.stroke();
  c.lineWidth = 1;
  c.beginPath();
  for (let d = 3; d < length; d += 7) {
    c.moveTo(from.x + ux * d, from.y + uy * d);
    c.lineTo(from.x + ux * (d - 6) + nx * 7, from.y + uy * (d - 6) + ny * 7);
  }
  c.stroke();
}

export const wall = hatch;

// `up`: the support is above, as for what hangs from it.
export function ground(c: Canvas, at: Spot, ink: Ink, up: boolean): void {
  const base = at.y + (up ? -17 : 17), left = { x: at.x - 15, y: base }, right = { x: at.x + 15, y: base };
  c.lineJoin = "round";
  polyline(c, [{ x: at.x, y: at.y }, { x: at.x - 10, y: base }, { x: at.x + 10, y: base }], true);
  c.fillStyle = ink.paper;
  c.fill();
  c.strokeStyle = ink.ground;
  c.lineWidth = 1.8;
  c.stroke();
  if (up) hatch(c, right, left, ink);
  else hatch(c, left, right, ink);
  pin(c, at, ink, 4.8);
}

export function spring(c: Canvas, a: Spot, b: Spot, coils: number, colour: string): void {
  const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
  const ux = (b.x - a.x) / length, uy = (b.y - a.y) / length;
  const end = Math.min(12, 0.15 * length), half = 7;
  const spots: Spot[] = [a];
  for (let i = 0; i <= 2 * coils; ++i) {
    const d = end + ((length - 2 * end) * i) / (2 * coils);
    const side = i === 0 || i === 2 * coils ? 0 : i % 2 === 1 ? half : -half;
    spots.push({ x: a.x + ux * d - uy * side, y: a.y + uy * d + ux * side });
  }
  spots.push(b);
  c.lineJoin = c.lineCap = "round";
  polyline(c, spots);
  c.strokeStyle = colour;
  c.lineWidth = 1.8;
  c.stroke();
}

export function damper(c: Canvas, a: Spot, b: Spot, colour: string): void {
  const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
  const angle = Math.atan2(b.y - a.y, b.x - a.x);
  const pot = Math.max(6, 0.36 * length), start = 0.5 * length - 0.5 * pot;
  c.save();
  c.translate(a.x, a.y);
  c.rotate(angle);
  c.strokeStyle = colour;
  c.lineWidth = 1.8;
  c.beginPath();
  c.moveTo(0, 0); c.lineTo(start, 0);
  c.moveTo(start + pot, -7); c.lineTo(start, -7); c.lineTo(start, 7); c.lineTo(start + pot, 7);
  c.moveTo(start + 0.5 * pot, -5); c.lineTo(start + 0.5 * pot, 5);
  c.moveTo(start + 0.5 * pot, 0); c.lineTo(length, 0);
  c.stroke();
  c.restore();
}

export function block(c: Canvas, at: Spot, ahead: Spot, length: number, colour: string, paper: string): void {
  c.save();
  c.translate(at.x, at.y);
  c.rotate(Math.atan2(ahead.y - at.y, ahead.x - at.x));
  c.beginPath();
  c.roundRect(-0.5 * length, -0.28 * length, length, 0.56 * length, 4);
  c.fillStyle = mix(colour, paper, 0.26);
  c.fill();
  c.strokeStyle = colour;
  c.lineWidth = 1.6;
  c.stroke();
  c.restore();
}

// From two conjugate radii, so that a wheel seen from the side is an ellipse.
export function disc(c: Canvas, at: Spot, rim: Spot, other: Spot, colour: string, paper: string): void {
  c.beginPath();
  for (let i = 0; i <= 48; ++i) {
    const s = Math.sin((i * Math.PI) / 24), k = Math.cos((i * Math.PI) / 24);
    const x = at.x + k * (rim.x - at.x) + s * (other.x - at.x), y = at.y + k * (rim.y - at.y) + s * (other.y - at.y);
    if (i === 0) c.moveTo(x, y); else c.lineTo(x, y);
  }
  c.fillStyle = mix(colour, paper, 0.2);
  c.fill();
  c.strokeStyle = colour;
  c.lineWidth = 1.6;
  c.stroke();
  polyline(c, [at, rim]);
  c.lineWidth = 1.2;
  c.stroke();
}

export function mass(c: Canvas, at: Spot, radius: number, colour: string): void {
  const shade = c.createRadialGradient(at.x - 0.35 * radius, at.y - 0.35 * radius, 0.1 * radius, at.x, at.y, radius);
  shade.addColorStop(0, "#ffffff");
  shade.addColorStop(0.25, colour);
  shade.addColorStop(1, colour);
  c.beginPath();
  c.arc(at.x, at.y, radius, 0, 2 * Math.PI);
  c.fillStyle = shade;
  c.fill();
}

interface Box { x: number; y: number; wide: number; tall: number }
const overlap = (a: Box, b: Box) => a.x < b.x + b.wide && b.x < a.x + a.wide && a.y < b.y + b.tall && b.y < a.y + a.tall;

// Names beside their points, to the right or, where there is no room, to the left; those that would cover another name are
// left out until the picture is enlarged.
export function labels(c: Canvas, names: { text: string; at: Spot }[], width: number, ink: Ink): number {
  c.font = "italic 13px system-ui, sans-serif";
  c.lineJoin = "round";
  c.lineWidth = 3.5;
  c.strokeStyle = ink.paper;
  c.fillStyle = ink.line;
  const taken: Box[] = [];
  for (const { text, at } of names) {
    const wide = c.measureText(text).width, y = at.y - 20;
    const boxes = [at.x + 8, at.x - 8 - wide].map((x) => ({ x, y, wide, tall: 15 })).filter((box) => box.x >= 0 && box.x + wide <= width);
    const free = boxes.find((box) => !taken.some((other) => overlap(box, other)));
    if (!free) continue;
    taken.push(free);
    c.strokeText(text, free.x, at.y - 8);
    c.fillText(text, free.x, at.y - 8);
  }
  return taken.length;
}
