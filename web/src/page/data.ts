// The data of a report as the program wrote them, decoded into arrays that are ordered by time.
import type { Known } from "../charts/known";
import { visible } from "./text";

export interface DrawingElement { kind: string; points: number[]; name?: string; size?: number }
export interface Drawing { dimension: number; up?: number; points: string[]; elements: DrawingElement[] }
export interface Parameter { name: string; value: string; unit: string; meaning: string; set: boolean }
export interface Reference { kind: string; source: string; scored: string[]; values: Record<string, number> }

type Maybe = number | null;
export interface RunDocument {
  model: string; title: string; command: string; run: string; method: string; method_used: string; formulation: string;
  rtol: number; atol: Maybe; tolerances: Record<string, { rtol: Maybe; atol: Maybe }>;
  status: string; message: string; warnings: string[]; t_start: Maybe; t_end: Maybe;
  statistics: Record<string, number>; quality: Record<string, Maybe>;
  names: string[]; names_v: string[]; final: { t: Maybe; q: Maybe[]; v: Maybe[]; a: Maybe[]; lambda: Maybe[] };
  outputs: Record<string, Maybe>; program: string; ledger?: Ledger | null;
  events?: { name: string; t: number }[]; singular_poses?: { t: number; joints: string[] }[];
  reactions?: { unique: boolean; indeterminate: string[]; reason: string } | null;
}
export interface Account { name: string; kind: string }
export interface Ledger {
  kinetic: { start: Maybe; end: Maybe }; projection: Maybe; integrator: Maybe; balance: Maybe;
  input?: Maybe; dissipation?: Maybe; balance_between_steps?: Maybe;
  accounts: { name: string; kind: string; start: Maybe; end: Maybe; change: Maybe }[];
}
interface About {
  columns: string[]; units?: string[]; accounts?: Account[]; left_out?: string[]; model_text?: string; constraints: string[]; steps_a_row: number; drawing: Drawing; parameters: Parameter[];
  references: Reference[]; histories?: { source: string; columns: Record<string, { t: number[]; values: number[] } | undefined> }[];
}
// The least and the largest values of what moves faster than the frames show, over bins of time.
export interface Band { t: Float64Array; low: Float32Array | Float64Array; high: Float32Array | Float64Array }
type Scales = Record<string, number>;
interface Raw {
  run: RunDocument; about: About; steps: string;
  // `columns`: those of a frame, its time included, then the accounts.
  bands?: { t: string; columns: number[]; low: string; high: string; low_scales: Scales; high_scales: Scales };
  // `scales`: by the place of a column, what its numbers were divided by to fit into single precision.
  frames: { count: number; t: string; values: string; points: string; accounts?: string; scales?: Scales; account_scales?: Scales };
}

export interface Report extends Columns {
  run: RunDocument;
  about: About;
  known: (name: string) => Known[];       // values of a column from elsewhere
  points: Float32Array;                   // frame by frame
  accounts: { account: Account; values: Float32Array | Float64Array; band?: Band }[]; // J over the frames
  steps: { t: Float64Array; h: Float64Array; order: Float64Array; position: Float64Array; velocity: Float64Array };
}

function bytes(base64: string): ArrayBuffer {
  const text = atob(base64);
  const result = new Uint8Array(text.length);
  for (let i = 0; i < text.length; ++i) result[i] = text.charCodeAt(i);
  return result.buffer;
}

// A run backwards in time is shown forwards: plots need increasing times.
function reverseBlocks<T extends Float32Array | Float64Array>(values: T, size: number): T {
  const result = values.slice() as T;
  const blocks = size > 0 ? values.length / size : 0;
  for (let i = 0; i < blocks; ++i) result.set(values.subarray(i * size, (i + 1) * size), (blocks - 1 - i) * size);
  return result;
}

// The quantities of a run over its frames, in the order of time.
export interface Columns {
  t: Float64Array; backwards: boolean;
  column: (name: string) => Float32Array | Float64Array | undefined;
  band: (name: string) => Band | undefined;
}
interface Decoded extends Columns { block: (all: Float32Array, i: number, scale?: number) => Float32Array | Float64Array; bandAt: (place: number) => Band | undefined }

export type RawFrames = Pick<Raw, "frames" | "bands">;

export function readColumns(names: string[], raw: RawFrames): Decoded {
  const count = raw.frames.count;
  let t = new Float64Array(bytes(raw.frames.t));
  const values = new Float32Array(bytes(raw.frames.values));
  const backwards = count > 1 && t[count - 1] < t[0];
  if (backwards) t = reverseBlocks(t, 1);
  const block = (all: Float32Array, i: number, scale = 1, length = count): Float32Array | Float64Array => {
    const small = all.subarray(i * length, (i + 1) * length), column = scale === 1 ? small : Float64Array.from(small, (v) => v * scale);
    return backwards ? reverseBlocks<Float32Array | Float64Array>(column, 1) : column;
  };
  const bands = new Map<number, Band>();
  if (raw.bands) {
    const { columns: whose, low_scales, high_scales } = raw.bands;
    const low = new Float32Array(bytes(raw.bands.low)), high = new Float32Array(bytes(raw.bands.high));
    let middles = new Float64Array(bytes(raw.bands.t));
    if (backwards) middles = reverseBlocks(middles, 1);
    whose.forEach((column, i) => bands.set(column, { t: middles, low: block(low, i, low_scales[i], middles.length), high: block(high, i, high_scales[i], middles.length) }));
  }
  const columns = new Map(names.slice(1).map((name, i) => [name, block(values, i, raw.frames.scales?.[i])]));
  return { t, backwards, block, column: (name) => columns.get(name), band: (name) => bands.get(names.indexOf(name)), bandAt: (place) => bands.get(place) };
}

// The points of the drawing, frame by frame as they were written.
export function pointsOf(raw: RawFrames): Float32Array {
  return new Float32Array(bytes(raw.frames.points));
}

// What the page holds, with the strings of others made visible.
export function readData(text: string): unknown {
  return JSON.parse(text, (_, value: unknown) => (typeof value === "string" ? visible(value) : value));
}

export function readReport(data: unknown): Report {
  const raw = data as Raw;
  const { t, backwards, block, column, band, bandAt } = readColumns(raw.about.columns, raw);
  let points = pointsOf(raw);
  let rows = new Float64Array(bytes(raw.steps));
  if (backwards) {
    points = reverseBlocks(points, raw.about.drawing.points.length * raw.about.drawing.dimension);
    rows = reverseBlocks(rows, 5);
  }
  const energies = new Float32Array(bytes(raw.frames.accounts ?? ""));
  const accounts = (energies.length === 0 ? [] : raw.about.accounts ?? []).map((account, i) => ({ account, values: block(energies, i, raw.frames.account_scales?.[i]), band: bandAt(raw.about.columns.length + i) }));
  const stepColumn = (k: number) => Float64Array.from({ length: rows.length / 5 }, (_, i) => rows[5 * i + k]);
  return {
    run: raw.run,
    about: raw.about,
    t,
    backwards,
    column,
    band,
    known: (name) => (raw.about.histories ?? []).flatMap(({ source, columns: all }) => (all[name] ? [{ source, ...all[name]! }] : [])),
    points,
    accounts,
    steps: { t: stepColumn(0), h: stepColumn(1).map(Math.abs), order: stepColumn(2), position: stepColumn(3), velocity: stepColumn(4) },
  };
}
