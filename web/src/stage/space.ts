// The elements of a spatial drawing as solids: what stage.ts draws as symbols in the plane.
import type { Camera } from "./camera";
import type { DrawingElement } from "../page/data";
import type { Motion } from "./motion";
import type { Ink } from "./shapes";
import type { Point, Solid } from "./solid";

export interface SpaceView {
  solid: Solid; motion: Motion; camera: Camera; elements: DrawingElement[]; position: number;
  colourOf: (e: DrawingElement) => string; ink: Ink; accent: string; paths: boolean;
}

function drawElement(view: SpaceView, e: DrawingElement): void {
  const { solid, motion, camera, position, ink } = view;
  const s: Point[] = e.points.map((p) => motion.place(position, p)), own = view.colourOf(e);
  const thick = 0.013 * camera.diagonal, size = e.size ?? 0;
  switch (e.kind) {
    case "bar": return solid.tube(s, thick, own);
    case "plate": return solid.tube([...s, s[0]], thick, own);
    case "beam": {
      solid.line(s.slice(0, s.length / 2), ink.faint, 0.8);
      return solid.tube(s.slice(s.length / 2), thick, own);
    }
    case "disc": return s.length > 2 ? solid.disc(s[0], s[1], s[2], thick, own) : solid.sphere(s[0], Math.hypot(...s[1].map((x, k) => x - s[0][k])), own);
    case "block": {
      const length = size || 5 * thick;
      return solid.block(s[0], s[1] ?? [s[0][0] + 1, s[0][1], s[0][2]], [length, 0.6 * length, 0.6 * length], own);
    }
    case "mass": return solid.sphere(s[0], size || 2 * thick, own);
    case "pin": return solid.sphere(s[0], 1.35 * thick, ink.faint);
    case "ground": {
      solid.sphere(s[0], 1.5 * thick, ink.faint);
      return solid.block([s[0][0], s[0][1], s[0][2] - 2 * thick], [s[0][0] + 1, s[0][1], s[0][2] - 2 * thick], [6 * thick, 6 * thick, thick], ink.faint);
    }
    case "wall":
    case "rail": return solid.tube(s, 0.4 * thick, ink.faint);
    case "spring": return solid.coil(s[0], s[1], 9, 1.4 * thick, 0.28 * thick, ink.faint);
    case "damper": {
      const middle = s[0].map((x, k) => x + 0.55 * (s[1][k] - x)) as Point;
      solid.cylinder(s[0], middle, 1.2 * thick, ink.faint);
      return solid.cylinder(middle, s[1], 0.4 * thick, ink.faint);
    }
    case "trace": {
      if (!view.paths) return;
      const path = (from: number, to: number) => Array.from({ length: Math.max(0, Math.floor(to) - from + 1) }, (_, i) => motion.place(from + i, e.points[0]));
      solid.line(path(0, motion.frames - 1), view.accent, 0.3);
      return solid.line([...path(Math.max(0, Math.ceil(position - 60)), position), s[0]], view.accent, 1);
    }
  }
}

// A grid of ten by ten on the floor below everything.
export function floorLines(camera: Camera): [Point, Point][] {
  const half = 0.6 * camera.diagonal, z = camera.floor;
  // Its lines stay where they are when the eye moves on.
  const [x, y] = camera.middle.map((place) => Math.round(place / (half / 5)) * (half / 5));
  const lines: [Point, Point][] = [];
  for (let i = -5; i <= 5; ++i) {
    const d = (i * half) / 5;
    lines.push([[x + d, y - half, z], [x + d, y + half, z]], [[x - half, y + d, z], [x + half, y + d, z]]);
  }
  return lines;
}

export function paintSpace(view: SpaceView, width: number, height: number, shade: string): HTMLCanvasElement {
  for (const e of view.elements) drawElement(view, e);
  view.solid.line(floorLines(view.camera).flat(), view.ink.faint, 0.25, false);
  return view.solid.paint(width, height, view.camera.matrix(), view.camera.turned(), view.camera.floor, shade);
}
