// The page of raak compare: the runs, their curves overlaid quantity by quantity, and the largest differences.
import type { Clock } from "./charts/chart";
import { readColumns, type RawFrames } from "./page/data";
import type { Group } from "./charts/groups";
import { Board } from "./charts/plots";
import { switches } from "./charts/switches";
import { card, table, type Cell } from "./page/tables";
import { byId, duration, element, number } from "./page/text";
import { seriesSample, onThemeChange } from "./page/theme";
import { themeButton } from "./page/theme_button";

type Maybe = number | null;
interface Compared { from: number; to: number; times: number; interpolated: boolean }
interface Run {
  label: string; folder: string; settings: string[]; model: string; title: string; run: string; command: string; program: string; method_used: string;
  formulation: string; rtol: Maybe; status: string; message: string; t_start: Maybe; t_end: Maybe; steps: Maybe; cpu_seconds: Maybe; only: string[]; compared?: Compared;
}
interface Difference { column: string; unit: string; run: string; largest: Maybe; t: Maybe; first: Maybe; other: Maybe; range: Maybe }
interface Comparison { runs: Run[]; common: string[]; differences: Difference[]; left_out?: string }
type Curves = { columns: string[]; units: string[] } & RawFrames;

const MOST_PLOTS = 90, MOST_NAMES = 20;

// The moment that the last click chose.
class Moment implements Clock {
  playing = false;
  private readonly listeners: (() => void)[] = [];
  constructor(public time: number) {}
  get position(): number { return this.time; }
  seek(time: number): void { this.time = time; this.listeners.forEach((listener) => listener()); }
  seekTime(time: number): void { this.seek(time); }
  play(): void { /* nothing moves */ }
  onMove(listener: () => void): void { this.listeners.push(listener); }
}

// Outputs, positions, velocities, accelerations, multipliers, as in a report.
function inOrder(columns: string[]): string[] {
  const rank = (name: string) => ["q.", "v.", "a.", "lambda.", "energy."].findIndex((prefix) => name.startsWith(prefix));
  return [...columns].sort((a, b) => rank(a) - rank(b) || columns.indexOf(a) - columns.indexOf(b));
}

function groupsOf(comparison: Comparison, curves: Curves[]): Group[] {
  const runs = curves.map((each) => ({ ...readColumns(each.columns, each), units: each.units, names: each.columns }));
  const drawn = inOrder(runs[0].names.slice(1));
  return drawn.slice(0, MOST_PLOTS).map((column) => ({
    title: column, symbol: column, together: true, failed: comparison.runs.some((run) => run.status === "failed"),
    series: runs.flatMap(({ t, backwards, column: valuesOf, band, units, names }, i) => {
      const values = valuesOf(column);
      const tip = `${column} of ${comparison.runs[i].folder}`;
      return values ? [{ name: comparison.runs[i].label, t, values, unit: (units[names.indexOf(column)] ?? "").replace("^2", "²"), band: band(column), backwards, look: i, tip }] : [];
    }),
  }));
}

function runsTable({ runs }: Comparison): HTMLElement {
  const rows = runs.map((run, i): Cell[] => {
    const sample = element("i", { class: "sample", "aria-hidden": "true" });
    const paint = () => (sample.style.background = seriesSample(i));
    paint();
    onThemeChange(paint);
    return [element("span", { title: run.folder }, sample, run.label), `${run.model}, ${run.run}`, run.settings.join(" "), `${run.method_used}, ${run.formulation}`,
      number(run.rtol, 6), `${number(run.t_start, 6)} to ${number(run.t_end, 6)}`, String(run.steps ?? "–"), duration(run.cpu_seconds ?? NaN),
      element("span", { title: run.message }, run.status === "ok" ? "completed" : run.status)];
  });
  return card("Runs", table(["run", "model, run", "settings that differ", "method", "rtol", "t / s", "steps", "CPU time", "status"], rows));
}

function remarks({ runs, common, left_out }: Comparison, plots: number): string[] {
  const said = runs.flatMap(({ label, compared }) => (compared ? [`${label} is compared with ${runs[0].label} over t = ${number(compared.from, 8)} to ${number(compared.to, 8)} s, ${
    compared.interpolated ? `at the ${compared.times} times of ${runs[0].label}, between its own times by cubic interpolation` : `at ${compared.times} common times`}.`] : []));
  for (const { label, only } of runs) {
    if (only.length > 0) said.push(`Not in all runs, so not compared: ${only.slice(0, MOST_NAMES).join(", ")}${only.length > MOST_NAMES ? `, and ${only.length - MOST_NAMES} more` : ""} of ${label}.`);
  }
  if (left_out) said.push(`To keep this page small, ${left_out}.`);
  else if (plots < common.length) said.push(`${plots} quantities of ${common.length} are drawn.`);
  return said;
}

function differences({ runs, differences: all }: Comparison): HTMLElement {
  const several = runs.length > 2;
  const rows = all.map((d): Cell[] => {
    const name = element("button", { type: "button", class: "link", title: "Show the plot" }, d.column);
    name.onclick = () => document.querySelector(`[data-plot="${CSS.escape(d.column)}"]`)?.scrollIntoView({ behavior: "smooth", block: "center" });
    const share = d.largest !== null && d.range ? number(d.largest / d.range, 2) : "–";
    return [name, ...(several ? [d.run] : []), number(d.largest, 4), d.unit.replace("^2", "²"), number(d.t, 6), number(d.first, 6), number(d.other, 6), share];
  });
  const first = several ? 2 : 1;
  return card(`Largest differences from ${runs[0].label}`, table(["quantity", ...(several ? ["run"] : []), "difference", "unit", "at t / s", runs[0].label, several ? "other" : runs[1].label, "of its range"],
    rows, [first, first + 2, first + 3, first + 4, first + 5]));
}

export function showComparison(data: object): Record<string, unknown> {
  const { comparison, curves } = data as { comparison: Comparison; curves: Curves[] };
  const names = comparison.runs.map((run) => run.label).join(", ");
  document.title = `${names}: comparison`;
  byId("top").append(element("div", { class: "heading" }, element("h1", {}, `Comparison of ${names}`),
    element("p", {}, [...new Set(comparison.runs.map((run) => run.title || run.model))].join(" · "))), themeButton());
  const failed = comparison.runs.filter((run) => run.status !== "ok");
  if (failed.length > 0) {
    byId("notice").textContent = failed.map((run) => `The results of ${run.label} are partial: ${run.message}.`).join(" ");
    byId("notice").hidden = false;
  }
  const groups = groupsOf(comparison, curves);
  byId("stage").remove();
  byId("outputs").className = "runs";
  byId("outputs").append(runsTable(comparison), ...remarks(comparison, groups.length).map((text) => element("p", { class: "hint" }, text)));
  byId("tables").className = "wide";
  byId("tables").append(differences(comparison));
  byId("bottom").append(element("p", {}, `Written by ${comparison.runs[0].program}. Drag over a plot (or press + on it) to enlarge all in time, double-click (or 0) to see everything; click a name to hide a run.`));
  const shown: Record<string, unknown> = { comparison };
  requestAnimationFrame(() => setTimeout(() => {
    const start = Math.min(...groups.flatMap((group) => group.series.map((s) => s.t[0])));
    const board = new Board(groups, new Moment(start), [], () => byId("plots"));
    shown.board = board;
    byId("switches").append(...switches(board, []));
    document.documentElement.dataset.ready = "yes";
  }, 0));
  return shown;
}
