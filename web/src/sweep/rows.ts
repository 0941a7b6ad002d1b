// The rows of a sweep as its page has them: columns, which cases are chosen by brushes, and who wants to know.
type Maybe = number | null;
export interface Column { name: string; unit: string; varies: boolean }
export interface Raw { cases: number[]; outcomes: number[]; columns: Maybe[][] }

export interface Scale { from: number; to: number; at: (value: number) => number; value: (at: number) => number; ticks: number[] }

// Round numbers inside a range.
export function ticksOf(from: number, to: number, most = 6): number[] {
  const raw = (to - from) / most;
  if (!(raw > 0)) return [from];
  const power = 10 ** Math.floor(Math.log10(raw)), step = [1, 2, 5, 10].map((k) => k * power).find((each) => each >= raw) ?? 10 * power;
  const ticks: number[] = [];
  for (let k = Math.ceil(from / step - 1e-9); k * step <= to + 1e-9 * step; ++k) ticks.push(k * step);
  return ticks;
}

// From a column to pixels.
export function scaleOf(values: Float64Array, low: number, high: number): Scale {
  let from = Infinity, to = -Infinity;
  for (const x of values) {
    if (!Number.isFinite(x)) continue;
    from = Math.min(from, x);
    to = Math.max(to, x);
  }
  if (!(from < to)) [from, to] = Number.isFinite(from) ? [from - 0.5 * (Math.abs(from) || 1), from + 0.5 * (Math.abs(from) || 1)] : [0, 1];
  const at = (value: number) => low + ((value - from) / (to - from)) * (high - low);
  return { from, to, at, value: (place) => from + ((place - low) / (high - low)) * (to - from), ticks: ticksOf(from, to) };
}

export type Range = [number, number];

export class Rows {
  readonly count: number;
  readonly values: Float64Array[];
  readonly failed: boolean[];
  readonly chosen: Uint8Array; // by the brushes
  shown = 0; // the row that is looked at
  private readonly brushes = new Map<number, Range>();
  private readonly listeners: (() => void)[] = [];

  constructor(readonly columns: Column[], readonly raw: Raw) {
    this.count = raw.cases.length;
    this.values = raw.columns.map((column) => Float64Array.from(column, (x) => x ?? NaN));
    this.failed = raw.outcomes.map((outcome) => outcome !== 0);
    this.chosen = new Uint8Array(this.count).fill(1);
  }

  onChange(listener: () => void): void { this.listeners.push(listener); }
  brush(column: number): Range | undefined { return this.brushes.get(column); }
  get brushed(): number { return this.brushes.size; }

  // Rows outside the range of a column are not chosen; none: any value will do.
  setBrushes(changes: [number, Range | undefined][]): void {
    for (const [column, range] of changes) {
      if (range) this.brushes.set(column, range);
      else this.brushes.delete(column);
    }
    for (let i = 0; i < this.count; ++i)
      this.chosen[i] = [...this.brushes].every(([k, [low, high]]) => this.values[k][i] >= low && this.values[k][i] <= high) ? 1 : 0;
    this.announce();
  }
  clear(): void { this.setBrushes([...this.brushes.keys()].map((k) => [k, undefined])); }

  show(row: number): void {
    this.shown = row;
    this.announce();
  }

  title(column: number): string {
    const { name, unit } = this.columns[column];
    return unit ? `${name} / ${unit}` : name;
  }

  private announce(): void { this.listeners.forEach((listener) => listener()); }
}
