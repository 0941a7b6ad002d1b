// What happened on the way: events, and singular configurations that were passed.
import type { Report } from "../page/data";
import { element, number } from "../page/text";

export interface Mark { t: number; kind: "event" | "singular"; name: string }

export function marksOf(report: Report): Mark[] {
  const { events = [], singular_poses: singular = [] } = report.run;
  const marks: Mark[] = [
    ...events.map(({ t, name }): Mark => ({ t, kind: "event", name })),
    ...singular.map(({ t, joints }): Mark => ({ t, kind: "singular", name: joints.join(", ") })),
  ];
  return marks.sort((a, b) => a.t - b.t);
}

export const markText = (mark: Mark) =>
  `${mark.kind === "event" ? `event ${mark.name}` : `singular configuration${mark.name ? ` of ${mark.name}` : ""}`} at t = ${number(mark.t, 8)} s`;

const MOST_BUTTONS = 60; // more lie too close to be hit

// Above the slider of time: a tick for each, which goes there.
export function sliderMarks(marks: Mark[], shareOf: (t: number) => number, go: (t: number) => void): HTMLElement {
  const ticks = marks.map((mark) => {
    const place = { style: `left: calc(8px + ${shareOf(mark.t).toFixed(5)} * (100% - 16px))`, title: markText(mark) };
    if (marks.length > MOST_BUTTONS) return element("i", { class: `tick ${mark.kind}`, ...place });
    const made = element("button", { type: "button", class: `tick ${mark.kind}`, "aria-label": `Go to ${markText(mark)}`, ...place });
    made.onclick = () => go(mark.t);
    return made;
  });
  return element("span", { class: "ticks" }, ...ticks);
}
