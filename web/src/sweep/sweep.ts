// The page of raak sweep: scatter, parallel coordinates, histograms and what failed, with brushes that all of them show,
// and the mechanism of the case that is looked at.
import type { Drawing, RawFrames } from "../page/data";
import { card, table, type Cell } from "../page/tables";
import { byId, element, number } from "../page/text";
import { themeButton } from "../page/theme_button";
import { CasePlayer } from "./case_player";
import { FailureMap } from "./failures";
import { Histogram } from "./histogram";
import { Parallel } from "./parallel";
import { Rows, type Column, type Raw } from "./rows";
import { Scatter } from "./scatter";

type Maybe = number | null;
interface Found { model: string; title: string; program: string; repeats: string; design: string; until: number; columns: Column[]; moving: number[]; frames_of_a_case: number }
interface Sobol { groups: number; first?: Record<string, Maybe>; total?: Record<string, Maybe> }
interface Summed { unit: string; count: number; mean: Maybe; deviation: Maybe; min: Maybe; max: Maybe; quantiles?: Record<string, Maybe>; sobol?: Sobol }
interface Summary { cases: number; failed: number; columns: Record<string, Summed>; failures: { causes: { cause: string; cases: number; first_case: number; message: string }[] } }
type Data = { sweep: Found; summary: Summary; rows: Raw; drawing: Drawing } & RawFrames;

const MOST_COLUMNS = 24; // of histograms and axes

function summaryCard(summary: Summary): HTMLElement {
  const entries = Object.entries(summary.columns), levels = Object.keys(entries[0]?.[1].quantiles ?? {});
  const rows = entries.map(([name, c]): Cell[] => [name, c.unit, number(c.mean, 6), number(c.deviation, 4), number(c.min, 6), ...levels.map((p) => number(c.quantiles?.[p], 6)), number(c.max, 6)]);
  const head = ["kept", "unit", "mean", "deviation", "min", ...levels.map((p) => `${number(100 * Number(p), 3)} %`), "max"];
  const made = card("Summary of all cases", table(head, rows, head.map((_, i) => i).slice(2)));
  const ended = summary.cases - summary.failed;
  for (const [name, c] of entries)
    if (c.count < ended) made.append(element("p", { class: "hint" }, `${name} has no number in ${ended - c.count} of ${ended} cases that came to their end.`));
  return made;
}

function indicesCard(summary: Summary): HTMLElement[] {
  const rows = Object.entries(summary.columns).flatMap(([name, { sobol }]) =>
    Object.keys(sobol?.first ?? {}).map((factor): Cell[] => [name, factor, number(sobol?.first?.[factor], 3), number(sobol?.total?.[factor], 3)]));
  if (rows.length === 0) return [];
  return [card("Sobol indices", element("p", { class: "hint" }, "Shares of the variance: of each number alone, and with all that it takes part in."), table(["kept", "of", "first order", "total"], rows, [2, 3]))];
}

function failuresCard(summary: Summary, rows: Rows): HTMLElement[] {
  if (summary.failed === 0) return [];
  const made = card(`${summary.failed} cases failed`, table(["cause", "cases", "first case", "message"],
    summary.failures.causes.map((each): Cell[] => [each.cause, String(each.cases), String(each.first_case), each.message]), [1, 2]));
  new FailureMap(rows, made);
  return [made];
}

function caseCard(rows: Rows, found: Found): HTMLElement {
  const title = element("h2", {}), body = element("div", {});
  const update = () => {
    title.textContent = `Case ${rows.raw.cases[rows.shown]}${rows.failed[rows.shown] ? ", failed" : ""}`;
    const list = rows.columns.map((column, k): Cell[] => [column.name, number(rows.values[k][rows.shown], 7), column.unit]);
    body.replaceChildren(table([], list, [1]), element("p", { class: "hint" }, element("code", {}, found.repeats.replace(/#([^#]*)$/, `${rows.raw.cases[rows.shown]}$1`))));
  };
  rows.onChange(update);
  update();
  return element("article", { class: "card", id: "case" }, element("header", {}, title), body);
}

function chosenBar(rows: Rows): HTMLElement {
  const text = element("span", {}), clear = element("button", { type: "button", class: "toggle" }, "Choose all");
  clear.onclick = () => rows.clear();
  const update = () => {
    const count = rows.chosen.reduce((sum, each) => sum + each, 0);
    text.textContent = rows.brushed === 0 ? `${rows.count} cases shown. Drag over a picture to choose some, click a point to look at a case.` : `${count} of ${rows.count} cases chosen.`;
    clear.hidden = rows.brushed === 0;
  };
  rows.onChange(update);
  update();
  return element("div", { class: "hint chosen" }, text, " ", clear);
}

function variedOf(rows: Rows): number[] {
  return rows.columns.map((column, k) => (column.varies ? k : -1)).filter((k) => k >= 0);
}

// The case with a motion that is most like a row: nearest in what varies.
function nearestMoving(rows: Rows, moving: number[]): number {
  const places = moving.map((each) => rows.raw.cases.indexOf(each));
  const varied = variedOf(rows);
  const spans = varied.map((k) => Math.max(...rows.values[k]) - Math.min(...rows.values[k]) || 1);
  let best = 0, least = Infinity;
  places.forEach((place, m) => {
    if (place < 0) return;
    const d = varied.reduce((sum, k, i) => sum + ((rows.values[k][place] - rows.values[k][rows.shown]) / spans[i]) ** 2, 0);
    if (d < least) [best, least] = [m, d];
  });
  return best;
}

function showMotion(data: Data, rows: Rows): CasePlayer | undefined {
  const { sweep: found, drawing, summary: _summary, rows: _rows, ...raw } = data;
  if (found.moving.length === 0) {
    byId("stage").append(element("p", { class: "hint" }, "No case of this model can be drawn."));
    return undefined;
  }
  const note = element("p", { class: "hint" });
  const player = new CasePlayer(byId("stage"), drawing, raw as RawFrames, found.title || found.model, found.frames_of_a_case, found.until, found.moving, (moving) => {
    const place = rows.raw.cases.indexOf(found.moving[moving]);
    if (place >= 0) rows.show(place);
    else player.show(moving);
  });
  byId("stage").append(note);
  const update = () => {
    const moving = nearestMoving(rows, found.moving), shown = found.moving[moving];
    if (player.shown !== moving) player.show(moving);
    note.textContent = shown === rows.raw.cases[rows.shown] ? `Case ${shown} in motion.` : `Case ${shown} in motion, the nearest to case ${rows.raw.cases[rows.shown]} that the page keeps.`;
  };
  rows.onChange(update);
  update();
  player.show(player.shown);
  return player;
}

// Returns what tests look at.
export function showSweep(data: object): Record<string, unknown> {
  const all = data as Data, { sweep: found, summary, rows: raw } = all;
  document.title = `${found.model}: sweep`;
  byId("top").append(element("div", { class: "heading" }, element("h1", {}, `Sweep of ${found.title || found.model}`),
    element("p", {}, `${found.model} · ${found.design} · ${summary.cases} cases, ${summary.failed} failed`)), themeButton());
  const rows = new Rows(found.columns.slice(0, MOST_COLUMNS), { ...raw, columns: raw.columns.slice(0, MOST_COLUMNS) });
  const varied = variedOf(rows), kept = rows.columns.findIndex((column) => !column.varies);
  const player = showMotion(all, rows);
  byId("outputs").append(caseCard(rows, found));
  const main = card("Cases", chosenBar(rows));
  const scatter = new Scatter(rows, main, varied[0], kept < 0 ? varied[varied.length - 1] : kept, 340);
  byId("outputs").append(main);
  const lines = card("Parallel coordinates", element("p", { class: "hint" }, "Drag along an axis to choose a range of it, click an axis to take it back."));
  const parallel = new Parallel(rows, lines);
  lines.classList.add("whole");
  byId("plots").append(lines);
  const histograms = rows.columns.map((_, k) => {
    const made = card(rows.title(k));
    const histogram = new Histogram(rows, made, k);
    byId("plots").append(made);
    return histogram;
  });
  const response = kept < 0 ? [] : varied.map((k) => {
    const made = card(`${rows.columns[kept].name} along ${rows.columns[k].name}`);
    const small = new Scatter(rows, made, k, kept, 200, true);
    byId("plots").append(made);
    return small;
  });
  byId("tables").className = "wide";
  byId("tables").append(summaryCard(summary), ...indicesCard(summary), ...failuresCard(summary, rows));
  const shown = rows.count < summary.cases ? ` ${rows.count} of ${summary.cases} cases are drawn; summary and causes are of all.` : "";
  byId("bottom").append(element("p", {}, `Written by ${found.program}.${shown} Space plays.`));
  document.addEventListener("keydown", (event) => {
    const target = event.target as HTMLElement;
    if (event.key !== " " || /^(INPUT|SELECT|TEXTAREA|BUTTON)$/.test(target.tagName)) return;
    player?.play(!player.playing);
    event.preventDefault();
  });
  player?.play(!window.matchMedia("(prefers-reduced-motion: reduce)").matches);
  document.documentElement.dataset.ready = "yes";
  return { rows, scatter, parallel, histograms, response, player };
}
