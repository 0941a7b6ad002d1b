// What a report plots, group by group: the outputs of the model, the motion, the joint reactions, the energies, the steps.
import type { Band, Report } from "../page/data";
import type { Known } from "./known";

export interface Series {
  name: string; t: Float64Array; values: ArrayLike<number>; unit: string; band?: Band; tip?: string;
  axis?: string; dots?: boolean; backwards?: boolean; look?: number; known?: Known[]; // look: its colour and dashes
}
// `symbol`: for the axis of a panel with several series. `together`: in one panel, however their sizes differ.
export interface Group { title: string; symbol: string; series: Series[]; log?: boolean; together?: boolean; note?: string; rightLabel?: string; missing?: string; failed?: boolean }

const MOST = 60; // series of a group: more cannot be distinguished
const SMALLEST = 1e-20; // what is smaller counts as nothing: the marks of an axis have no more decimals

// Why reactions have no value; nothing where they do.
function whyNot(run: Report["run"]): string | undefined {
  if (!run.reactions?.reason) return undefined;
  const joints = run.reactions.indeterminate.join(", ");
  return `No unique values${joints ? ` in ${joints}` : ""}: ${run.reactions.reason}.`;
}

// The name of an acceleration: in space velocities have names of their own.
const rateOf = (name: string) => name.replace(/\.velocity\.(?=[xyz]$)/, ".acceleration.").replace(/\.omega\.(?=[xyz]$)/, ".alpha.");

// Outputs come first: someone asked for them.
export function groupsOf(report: Report): Group[] {
  const { t, steps, about, run, backwards } = report;
  const unitOf = (column: string) => (about.units?.[about.columns.indexOf(column)] ?? "").replace("^2", "²");
  const series = (column: string, name: string, tip?: string): Series[] => {
    const values = report.column(column);
    return values ? [{ name, t, values, unit: unitOf(column), band: report.band(column), tip, backwards, known: report.known(column) }] : [];
  };
  const named = (prefix: string, names: string[], shown = (name: string) => name) => names.flatMap((name) => series(prefix + name, shown(name)));
  const outputs = Object.keys(run.outputs);
  const energy = outputs.filter((name) => name.startsWith("energy.") && name !== "energy.balance");
  const own = outputs.filter((name) => !/^(energy|violation)\./.test(name));
  // By the joint; where a joint has several rows of one name, with the number of the multiplier.
  const alike = (row: string) => about.constraints.filter((other) => other === row).length > 1;
  const reactions = about.constraints.flatMap((row, i) => series(`lambda.${i + 1}`, alike(row) ? `${row} (λ${i + 1})` : row, `λ${i + 1}, multiplier of ${row}`));
  const ofKind = (sign: number, ...kinds: string[]): Series[] => report.accounts
    .filter(({ account, values }) => kinds.includes(account.kind) && Array.from(values).some((v) => Number.isFinite(v) && v !== 0))
    .map(({ account, values, band }) => ({
      name: account.name, t, unit: "J", tip: `${account.kind} of ${account.name}`, backwards,
      values: sign > 0 ? values : Array.from(values, (v) => -v),
      band: sign > 0 || !band ? band : { t: band.t, low: band.high.map((v) => -v), high: band.low.map((v) => -v) },
    }));
  const groups: Group[] = [
    { title: "Outputs", symbol: "value", series: named("", own) },
    { title: "Coordinates", symbol: "q", series: named("q.", run.names) },
    { title: "Velocities", symbol: "v", series: named("v.", run.names_v) },
    { title: "Accelerations", symbol: "a", series: named("a.", run.names_v, rateOf) },
    { title: "Joint reactions", symbol: "λ", series: reactions, note: "multipliers of the constraints", missing: whyNot(run) },
    { title: "Energies", symbol: "E", series: named("energy.", energy.map((n) => n.slice(7))) },
    { title: "Energy balance", symbol: "ΔU", series: series("energy.balance", "T + V − T₀ − V₀ − W"), note: "Δ U: what integration and projection added" },
    { title: "Stored energy", symbol: "V", series: ofKind(1, "potential"), note: "force by force" },
    { title: "Work input", symbol: "W", series: ofKind(1, "input", "driver"), note: "by each force and driver" },
    { title: "Dissipation", symbol: "D", series: ofKind(-1, "dissipation"), note: "taken by each damper" },
  ];
  if (steps.t.length > 0) {
    const merged = about.steps_a_row > 1 ? `a point stands for ${about.steps_a_row} steps` : "after every accepted step";
    const clean = (values: Float64Array) => Array.from(values, (v) => (v > SMALLEST || Number.isNaN(v) ? v : 0));
    const log = (title: string, name: string, unit: string, values: Float64Array, more: Partial<Series> = {}): Group =>
      ({ title, symbol: name, log: true, together: true, note: merged, series: [{ name, unit, t: steps.t, values: clean(values), ...more }] });
    const stepping = log("Step size and order", "step size h", "s", steps.h, { dots: true });
    stepping.rightLabel = "order";
    stepping.series.push({ name: "order", unit: "", t: steps.t, values: steps.order, axis: "order" });
    // At the ends of steps, where the method projects, and at the frames, which its dense output gives between them.
    const violation = (name: string, unit: string, values: Float64Array, look: number): Group => {
      const group = log("Constraint violation", name, unit, values, { look });
      if (about.steps_a_row <= 1) group.note = "ends of steps, and frames";
      const frames = series(`violation.${name}`, `${name}, frames`, "of the dense output at the frames");
      group.series.push(...frames.map((s) => ({ ...s, unit, values: clean(Float64Array.from(s.values)), look: look + 2 })));
      return group;
    };
    groups.push(violation("position", "m, rad", steps.position, 0), violation("velocity", "m/s, rad/s", steps.velocity, 1), stepping);
  }
  for (const group of groups) {
    group.failed = run.status === "failed";
    if (group.series.length <= MOST) continue;
    group.note = `the first ${MOST} of ${group.series.length}`;
    group.series = group.series.slice(0, MOST);
  }
  return groups.filter((group) => group.series.length > 0 && group.series[0].t.length > 1);
}
