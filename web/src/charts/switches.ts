// What stands above the plots: the switch for angles modulo 2 pi, and what the upright lines in them mean.
import type { Mark } from "./marks";
import type { Board } from "./plots";
import { element } from "../page/text";

export function switches(board: Board, marks: Mark[]): HTMLElement[] {
  const made: HTMLElement[] = [];
  if (board.turns) {
    const modulo = element("button", { type: "button", class: "toggle", "aria-pressed": "false", id: "modulo" }, "Angles modulo 2π");
    modulo.onclick = () => {
      const on = modulo.getAttribute("aria-pressed") !== "true";
      modulo.setAttribute("aria-pressed", String(on));
      board.build(on);
    };
    made.push(modulo);
  }
  const key = (kind: Mark["kind"], text: string) => {
    if (marks.some((mark) => mark.kind === kind)) made.push(element("span", { class: `key ${kind}` }, element("i", { "aria-hidden": "true" }), text));
  };
  key("event", "event");
  key("singular", "singular configuration");
  return made;
}
