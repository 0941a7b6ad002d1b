// Puts the report together: the picture, the plots and the tables, in the order a reader meets them.
import type { Report } from "./page/data";
import { groupsOf } from "./charts/groups";
import { marksOf } from "./charts/marks";
import { Player } from "./stage/player";
import { Board } from "./charts/plots";
import { Stage } from "./stage/stage";
import { switches } from "./charts/switches";
import { heading, keyFigures, tables } from "./page/tables";
import { byId, element } from "./page/text";
import { themeButton } from "./page/theme_button";

// Returns what tests look at.
export function showReport(report: Report): Record<string, unknown> {
  const { run } = report;
  document.title = `${run.model}: ${run.title}`;
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

  const shown: Record<string, unknown> = { player, stage, report };
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
  return shown;
}
