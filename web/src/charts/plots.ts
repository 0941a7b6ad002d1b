// Plots over time that share their zoom, their pointer and the moment shown. The groups are split into panels: one unit and
// one order of magnitude each.
import { leavesItsTurn } from "./angles";
import { Chart, heading, isEmpty, type Clock, type Panel } from "./chart";
import type { Group, Series } from "./groups";
import type { Mark } from "./marks";
import { sharePanels } from "./panels";
import { defaultView, hull, type View } from "./range";
import { element } from "../page/text";

const isAngle = (series: Series) => series.unit === "rad" && !series.axis;

// In place of a frame without a curve.
const explained = (group: Group, why: string) => element("article", { class: "card plot", "data-plot": group.title }, heading(group),
  element("p", { class: "missing" }, why));

// `modulo`: angles are drawn modulo 2 pi.
function panelsOf(group: Group, modulo: boolean): Panel[] {
  const views = group.series.map((s) => defaultView(s, s.backwards));
  const turns = group.series.map((s) => modulo && isAngle(s) && leavesItsTurn(s.values, s.band));
  const whole = { low: -Math.PI, high: Math.PI };
  const entries = group.series.map((s, i) => ({ unit: turns[i] ? "turn" : s.unit, range: turns[i] ? whole : views[i].shown }));
  const members = group.together ? [group.series.map((_, i) => i)] : sharePanels(entries);
  return members.map((places) => {
    const cuts = places.map((i) => views[i].leaves).filter((t): t is number => t !== undefined);
    const backwards = group.series[places[0]].backwards;
    const leaves = cuts.length === 0 || group.log ? undefined : backwards ? Math.max(...cuts) : Math.min(...cuts);
    const view: View = { shown: hull(...places.map((i) => views[i].shown)), all: hull(...places.map((i) => views[i].all)), leaves };
    const turn = places.some((i) => turns[i]);
    return {
      group, view: turn ? { shown: whole, all: whole } : view,
      series: places.map((i) => ({ look: i, ...group.series[i] })),
      modulo: turn ? "turn" : modulo && isAngle(group.series[places[0]]) ? "shift" : undefined,
    };
  });
}

export class Board {
  private charts: Chart[] = [];
  private zooming = true; // while charts are made, each sets its own scale
  private valuesShown = 0;

  readonly times: { first: number; last: number };

  // `homeOf`: where the panels of a group go.
  constructor(private readonly groups: Group[], readonly clock: Clock, readonly marks: Mark[], private readonly homeOf: (group: Group) => HTMLElement) {
    const ends = groups.flatMap((g) => g.series.map((s) => [s.t[0], s.t[s.t.length - 1]]));
    this.times = { first: Math.min(...ends.map(([first]) => first)), last: Math.max(...ends.map(([, last]) => last)) };
    this.build(false);
    clock.onMove(() => this.follow());
  }

  // Some angle leaves its turn, so that modulo makes a difference.
  get turns(): boolean {
    return this.groups.some((group) => group.series.some((s) => isAngle(s) && leavesItsTurn(s.values, s.band)));
  }

  // What the axis of the first panel of a group shows.
  axis(title: string): { min?: number; max?: number } | undefined {
    return this.charts.find((chart) => chart.card.dataset.plot === title)?.axis;
  }

  build(modulo: boolean): void {
    this.zooming = true;
    this.charts.forEach((chart) => chart.discard());
    this.charts = [];
    const homes = new Set(this.groups.map(this.homeOf));
    homes.forEach((home) => home.querySelectorAll(".plot").forEach((old) => old.remove()));
    for (const group of this.groups) {
      const home = this.homeOf(group);
      if (group.missing && group.series.every(isEmpty)) home.append(explained(group, group.missing));
      else for (const panel of panelsOf(group, modulo)) this.charts.push(new Chart(panel, home, this));
    }
    // The first scales are set in a microtask of uPlot.
    queueMicrotask(() => (this.zooming = false));
    setTimeout(() => this.charts.forEach((chart) => { chart.zoom(this.times.first, this.times.last); chart.showValues(); }), 0);
  }

  private follow(): void {
    const time = this.clock.time;
    for (const chart of this.charts) chart.showTime(time);
    const now = performance.now();
    if (this.clock.playing && now - this.valuesShown < 100) return; // no eye reads faster
    this.valuesShown = now;
    for (const chart of this.charts) chart.showValues();
  }

  zoomed(source: Chart, low: number | undefined, high: number | undefined): void {
    if (this.zooming || low === undefined || high === undefined) return;
    this.zooming = true;
    for (const chart of this.charts) if (chart !== source) chart.zoom(low, high);
    this.zooming = false;
  }
}

