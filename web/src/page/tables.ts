// The parts that are read: heading, key figures, accuracy, statistics, parameters, and how to repeat the run.
import type { Reference, Report } from "./data";
import type { Mark } from "../charts/marks";
import { duration, element, number } from "./text";

export type Cell = string | Node;
const most = 200; // rows of a table

export function table(head: string[], rows: Cell[][], numeric: number[] = [], name = ""): HTMLElement {
  const align = (i: number): Record<string, string> => (numeric.includes(i) ? { class: "number" } : {});
  const made = element("table", name ? { class: name } : {});
  if (head.length > 0) made.append(element("thead", {}, element("tr", {}, ...head.map((text, i) => element("th", { scope: "col", ...align(i) }, text)))));
  made.append(element("tbody", {}, ...rows.map((row) => element("tr", {}, ...row.map((cell, i) =>
    i === 0 ? element("th", { scope: "row" }, cell) : element("td", align(i), cell))))));
  return element("div", { class: "scroll", tabindex: "0" }, made);
}

export function card(title: string, ...content: Cell[]): HTMLElement {
  return element("article", { class: "card" }, element("header", {}, element("h2", {}, title)), ...content);
}

function methodText(report: Report): string {
  const { method, method_used: used } = report.run;
  return used && used !== method ? `${used} (${method})` : method;
}

function tolerances(report: Report): string {
  const { q, v, lambda } = report.run.tolerances;
  const text = (t: { rtol: number | null; atol: number | null }) => `rtol ${number(t.rtol, 6)}, atol ${number(t.atol, 6)}`;
  const parts = [text(q)];
  if (text(v) !== text(q)) parts.push(`v: ${text(v)}`);
  if (text(lambda) !== text(q)) parts.push(`λ: ${text(lambda)}`);
  return parts.join("; ");
}

export function heading(report: Report, theme: HTMLElement): Node[] {
  const { run } = report;
  const status = element("span", { class: `chip ${run.status}` }, run.status === "ok" ? "completed" : run.status);
  return [
    element("div", { class: "heading" },
      element("h1", {}, run.title || run.model, status),
      element("p", {}, `${run.model} · run ${run.run} · t = ${number(run.t_start, 6)} to ${number(run.t_end, 6)} s · ${methodText(report)}, ${run.formulation} · ${tolerances(report)}`)),
    theme,
  ];
}

export function keyFigures(report: Report): Node[] {
  const { quality, statistics } = report.run;
  const figure = (name: string, value: string, detail: string) =>
    element("div", { class: "figure" }, element("span", { class: "name" }, name), element("strong", {}, value), element("span", { class: "detail" }, detail));
  const figures: Node[] = [];
  if (quality.scd !== null) figures.push(figure("Correct digits", number(quality.scd, 3), `scd; mescd ${number(quality.mescd, 3)}, trusted reference`));
  figures.push(
    figure("Energy drift", `${number(quality.energy_drift, 2)} J`, "largest, balance of all work"),
    figure("Constraint violation", number(quality.position_residual, 2), `position; velocity ${number(quality.velocity_residual, 2)}`),
    figure("Steps", String(statistics.steps), `${statistics.rejected} rejected, ${statistics.evaluations} evaluations`),
    figure("CPU time", duration(statistics.cpu_seconds), "integration alone"));
  return figures;
}

function digits(value: number | null | undefined, reference: number): string {
  if (value === null || value === undefined || !Number.isFinite(reference)) return "–";
  if (value === reference) return "all";
  const error = Math.abs(value - reference) / (reference === 0 ? 1 : Math.abs(reference));
  return Math.max(0, -Math.log10(error)).toFixed(1);
}

function accuracy(report: Report): HTMLElement {
  const { run, about } = report;
  const finals = new Map<string, number | null>();
  const namesOf = { q: run.names, v: run.names_v, a: run.names_v };
  for (const kind of ["q", "v", "a"] as const) namesOf[kind].forEach((name, i) => finals.set(`${kind}.${name}`, run.final[kind][i]));
  run.final.lambda.forEach((value, i) => finals.set(`lambda.${i + 1}`, value));
  Object.entries(run.outputs).forEach(([name, value]) => finals.set(name, value));
  if (about.references.length === 0) {
    const shown = [...finals].filter(([name]) => /^[qv]\./.test(name));
    const rows = shown.slice(0, most).map(([name, value]): Cell[] => [name, number(value, 15)]);
    if (shown.length > most) rows.push([`and ${shown.length - most} more in run.json`, ""]);
    return card("Final state", element("p", { class: "hint" }, "There is no reference solution for this run."), table(["", `at t = ${number(run.final.t, 8)} s`], rows, [1]));
  }
  const column = (r: Reference) => (name: string): Cell => (name in r.values ? digits(finals.get(name), r.values[name]) : "");
  const used = [...finals.keys()].filter((name) => about.references.some((r) => name in r.values));
  const rows = used.map((name): Cell[] => [name, number(finals.get(name), 14), ...about.references.map((r) => column(r)(name))]);
  const scores: Cell[][] = [["scd", "", ...about.references.map((r) => number(run.quality[r.kind === "trusted" ? "scd" : "scd_published"], 4))],
    ["mescd", "", ...about.references.map((r) => number(run.quality[r.kind === "trusted" ? "mescd" : "mescd_published"], 4))]];
  return card("Accuracy", table(["", `at t = ${number(run.final.t, 8)} s`, ...about.references.map((r) => `digits, ${r.kind}`)], [...scores, ...rows], [1, 2, 3]),
    element("ul", { class: "hint" }, ...about.references.map((r) => element("li", {}, `${r.kind}: ${r.source}`))));
}

function ledger(report: Report): HTMLElement | undefined {
  const book = report.run.ledger;
  if (!book) return undefined;
  const joule = (value: number | null) => number(value, 6);
  const change = (a: number | null, b: number | null) => (a === null || b === null ? "–" : number(b - a, 6));
  const words: Record<string, string> = { potential: "stored", input: "work input", dissipation: "dissipated", driver: "work input, driver" };
  const rows: Cell[][] = [["kinetic energy", "stored", joule(book.kinetic.start), joule(book.kinetic.end), change(book.kinetic.start, book.kinetic.end)]];
  for (const a of book.accounts.slice(0, most)) {
    const stored = a.kind === "potential";
    rows.push([a.name, words[a.kind] ?? a.kind, stored ? joule(a.start) : "", stored ? joule(a.end) : "", joule(a.change)]);
  }
  if (book.accounts.length > most) rows.push([`and ${book.accounts.length - most} more in run.json`, "", "", "", ""]);
  rows.push(["total work input", "sum", "", "", joule(book.input ?? null)], ["total dissipation", "sum", "", "", joule(book.dissipation ?? null)],
    ["projection", "numerical error", "", "", book.projection === null ? "none" : joule(book.projection)],
    ["integration", "numerical error", "", "", joule(book.integrator)], ["balance Δ U", "sum of both", "", "", joule(book.balance)]);
  return card("Energy ledger", table(["", "", "start / J", "end / J", "change / J"], rows, [2, 3, 4], "ledger"));
}

// What happened on the way; a time goes there.
function happenings(marks: Mark[], go: (t: number) => void): HTMLElement | undefined {
  if (marks.length === 0) return undefined;
  const rows = marks.slice(0, most).map((mark): Cell[] => {
    const time = element("button", { type: "button", class: "link", title: "Go there" }, number(mark.t, 10));
    time.onclick = () => go(mark.t);
    return [time, mark.kind === "event" ? "event" : "singular configuration", mark.name];
  });
  if (marks.length > most) rows.push([`and ${marks.length - most} more in run.json`, "", ""]);
  return card("Events and singular configurations", table(["t / s", "what", "name, or joints that are dependent there"], rows));
}

function modelText(report: Report): HTMLElement | undefined {
  const text = report.about.model_text;
  if (!text) return undefined;
  const lines = text.replace(/\n$/, "").split("\n").length;
  return card("Model file", element("details", lines <= 60 ? { open: "" } : {}, element("summary", {}, `${report.run.model}, ${lines} lines`),
    element("pre", { tabindex: "0" }, text)));
}

function statistics(report: Report): HTMLElement {
  const { statistics: s, quality: q } = report.run;
  return card("Statistics", table([], [
    ["steps", String(s.steps)], ["accepted", String(s.accepted)], ["rejected", String(s.rejected)],
    ["evaluations", String(s.evaluations)], ["Jacobians", String(s.jacobians)], ["factorizations", String(s.factorizations)],
    ["CPU time of the integration", duration(s.cpu_seconds)],
    ["largest position violation", number(q.position_residual, 3)], ["largest velocity violation", number(q.velocity_residual, 3)],
    ["largest energy drift", `${number(q.energy_drift, 3)} J`],
  ], [1]));
}

function repeat(report: Report): HTMLElement {
  const { run } = report;
  const code = element("code", {}, run.command || "–");
  const copy = element("button", { type: "button", class: "toggle" }, "Copy");
  copy.onclick = async () => {
    try { await navigator.clipboard.writeText(run.command); copy.textContent = "Copied"; }
    catch { getSelection()?.selectAllChildren(code); copy.textContent = "Selected"; }
    setTimeout(() => (copy.textContent = "Copy"), 1500);
  };
  return card("Repeat this run", element("div", { class: "command" }, code, copy), table([], [
    ["program", run.program], ["model", `${run.model}, run ${run.run}`], ["method", methodText(report)], ["formulation", run.formulation],
    ["tolerances", tolerances(report)], ["time", `${number(run.t_start, 10)} to ${number(run.t_end, 10)} s`],
  ]));
}

function parameters(report: Report): HTMLElement {
  const list = report.about.parameters;
  const changed = list.filter((p) => p.set).length;
  const rows = list.map((p): Cell[] => [p.set ? element("mark", { title: "set for this run" }, p.name) : p.name, p.value, p.unit, p.meaning]);
  const details = element("details", list.length <= 24 || changed > 0 ? { open: "" } : {},
    element("summary", {}, `${list.length} parameters${changed > 0 ? `, ${changed} set for this run` : ""}`),
    table(["name", "value", "unit", "meaning"], rows, [1]));
  return card("Parameters", details);
}

export function tables(report: Report, marks: Mark[], go: (t: number) => void): Node[] {
  const made: (HTMLElement | undefined)[] = [happenings(marks, go), accuracy(report), ledger(report), repeat(report), statistics(report)];
  if (report.about.parameters.length > 0) made.push(parameters(report));
  made.push(modelText(report));
  return made.filter((part): part is HTMLElement => part !== undefined);
}
