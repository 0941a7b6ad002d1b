// Which curves share an axis: those of one unit whose sizes are alike. What is small has a panel of its own instead of
// lying flat behind what is large. The same rule as for --plot (src/output/panels.h).
import { emptyRange, hull, span, type Range } from "./range";

export interface Entry { unit: string; range: Range }

const MOST = 8, SHARE = 0.2, LEAST = 1e-3, ROUNDING = 1e-9;

interface Panel { unit: string; range: Range; smallest: number; members: number[] } // smallest: span of those that move

function withShare(entries: Entry[], constant: boolean[], least: number): Panel[] {
  const size = (i: number) => (constant[i] ? -1 : span(entries[i].range));
  const order = entries.map((_, i) => i).sort((a, b) => size(b) - size(a) || a - b);
  const panels: Panel[] = [];
  for (const i of order) {
    const takes = (panel: Panel): boolean => {
      if (panel.unit !== entries[i].unit) return false;
      if (panel.smallest === Infinity) return constant[i];
      return (constant[i] ? panel.smallest : Math.min(panel.smallest, size(i))) >= least * span(hull(panel.range, entries[i].range));
    };
    let panel = panels.find(takes);
    if (!panel) panels.push(panel = { unit: entries[i].unit, range: emptyRange(), smallest: Infinity, members: [] });
    panel.range = hull(panel.range, entries[i].range);
    if (!constant[i]) panel.smallest = Math.min(panel.smallest, size(i));
    panel.members.push(i);
  }
  return panels;
}

// Places of the entries, panel by panel in the order of their first. In a panel each curve spans at least a fifth of the
// axis; where that takes more than eight panels, less. Constants take the room that others leave.
export function sharePanels(entries: Entry[]): number[][] {
  const sizes = new Map<string, number>();
  for (const { unit, range } of entries) {
    if (range.low <= range.high) sizes.set(unit, Math.max(sizes.get(unit) ?? 0, Math.abs(range.low), Math.abs(range.high)));
  }
  const constant = entries.map(({ unit, range }) => span(range) <= ROUNDING * (sizes.get(unit) ?? 0));
  let panels = withShare(entries, constant, SHARE);
  for (let least = 0.5 * SHARE; panels.length > MOST; least *= 0.5) {
    panels = withShare(entries, constant, least < LEAST ? 0 : least);
    if (least < LEAST) break;
  }
  return panels.map((panel) => panel.members.sort((a, b) => a - b)).sort((a, b) => a[0] - b[0]);
}
