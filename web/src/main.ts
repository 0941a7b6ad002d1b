// Puts the report together: reads the data, then the picture, the plots and the tables, in the order a reader meets them.
import { readReport } from "./data";
import { groupsOf } from "./groups";
import { marksOf } from "./marks";
import { Player } from "./player";
import { Board } from "./plots";
import { Stage } from "./stage";
import { heading, keyFigures, tables } from "./tables";
import { button, byId, element } from "./text";
import { switches } from "./switches";
import { isDark, onThemeChange, toggleTheme, watchTheme } from "./theme";

const SUN = "M12 7a5 5 0 1 1 0 10 5 5 0 0 1 0-10zM11 1h2v3h-2zM11 20h2v3h-2zM1 11h3v2H1zM20 11h3v2h-3zM4.2 2.8l2.1 2.1-1.4 1.4-2.1-2.1zM19.1 17.7l2.1 2.1-1.4 1.4-2.1-2.1zM2.8 19.8l2.1-2.1 1.4 1.4-2.1 2.1zM17.7 4.9l2.1-2.1 1.4 1.4-2.1 2.1z";
const MOON = "M12 3a9 9 0 1 0 9 9 7 7 0 0 1-9-9z";

function themeButton(): HTMLElement {
  const made = button("", SUN);
  const show = () => {
    made.title = isDark() ? "Light colours" : "Dark colours";
    made.setAttribute("aria-label", made.title);
    made.querySelector("path")?.setAttribute("d", isDark() ? SUN : MOON);
  };
  made.onclick = toggleTheme;
  onThemeChange(show);
  show();
  return made;
}

const report = readReport(byId("data").textContent ?? "");
const { run } = report;
document.title = `${run.model}: ${run.title}`;
watchTheme();
byId("top").append(...heading(report, themeButton()));
byId("figures").append(...keyFigures(report));
const leftOut = report.about.left_out ?? [];
const troubles = [run.status === "ok" ? "" : `The results are partial: ${run.message}.`, ...run.warnings].filter(Boolean);
if (troubles.length > 0) {
  byId("notice").textContent = troubles.join(" ");
  byId("notice").hidden = false;
}
if (leftOut.length > 0) {
  byId("notice").after(element("p", { class: "notice plain" }, `To keep this page small, ${leftOut.join(", ")}; result.csv and run.json have everything.`));
}

const marks = marksOf(report);
const player = new Player(report, marks);
const drawn = report.about.drawing.elements.length > 0 && report.points.length > 0;
const stage = drawn ? new Stage(report, byId("stage"), player.controls) : undefined;
if (stage) player.onMove((position) => stage.show(position));
else byId("stage").append(element("p", { class: "hint" }, "This model does not say how it is drawn."), player.controls);
byId("tables").append(...tables(report, marks, (t) => player.seekTime(t)));
byId("bottom").append(element("p", {}, `Written by ${run.program}. Space plays, ← and → step, Home and End jump; drag over a plot (or press + on it) to enlarge, double-click (or 0) to see everything, click to go there.`));

// The picture first; the plots follow when the browser has painted it.
requestAnimationFrame(() => setTimeout(() => {
  const board = new Board(groupsOf(report), player, marks, (group) => byId(group.title === "Outputs" ? "outputs" : "plots"));
  shown.board = board;
  byId("switches").append(...switches(board, marks));
  document.documentElement.dataset.ready = "yes";
  // Of a run that failed, the end is what one looks for, as far as it can be seen.
  if (run.status === "failed" && stage?.leaves !== undefined) player.seek(player.positionBefore(stage.leaves));
  else if (run.status === "failed") player.seek(report.t.length - 1);
  else if (stage && !window.matchMedia("(prefers-reduced-motion: reduce)").matches) player.play();
}, 0));

declare global { interface Window { raak: unknown } }
const shown: Record<string, unknown> = { player, stage, report };
window.raak = shown;
