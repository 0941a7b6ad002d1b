// The page of raak modes: a table of frequencies and the mechanism swinging in the mode that is chosen in it.
import { pointsOf, readColumns, type Drawing, type RawFrames, type Report } from "./page/data";
import { Stage } from "./stage/stage";
import { card, table, type Cell } from "./page/tables";
import { button, byId, element, number } from "./page/text";
import { themeButton } from "./page/theme_button";

interface Mode {
  omega: number; frequency_hz: number; damping: number; kind: string; eigenvalue: [number, number]; carriers: string; more: number;
  shape: Record<string, number>; quadrature?: Record<string, number>;
}
interface Found { model: string; title: string; program: string; t: number; equilibrium: boolean; freedoms: number; note: string; modes: Mode[] }
// `swing`: frames of a whole swing; its first frame stands once more at its end.
type Data = { modes: Found; about: string; drawing: Drawing; swing: number } & RawFrames;

const PLAY = "M7 5v14l12-7z", PAUSE = "M6 5h4v14H6zM14 5h4v14h-4z";
const CYCLE = 2; // s on the screen for one swing, at speed 1
const WIDEST = 0.25; // of a swing

const swings = (mode: Mode) => mode.kind !== "rigid" && mode.eigenvalue[1] > 0;
const remark: Record<string, (mode: Mode) => string> = {
  rigid: () => "rigid: nothing holds it",
  overdamped: (mode) => `overdamped: dies out at ${number(-mode.eigenvalue[0], 4)} 1/s`,
  unstable: (mode) => `unstable: grows at ${number(mode.eigenvalue[0], 4)} 1/s`,
  vibration: () => "",
};

// The mode that is shown and how far it has swung, with the buttons that change it.
class Swinging {
  readonly controls: HTMLElement;
  onTurn: (mode: number, phase: number) => void = () => undefined;
  private mode = 0;
  private phase = WIDEST;
  private playing = false;
  private last = 0;
  private readonly playButton = button("Play (space)", PLAY);
  private readonly readout = element("output", { class: "time" });
  private readonly speed = element("select", { "aria-label": "Speed" });
  private readonly rate = element("span", { class: "rate" });

  constructor(private readonly modes: Mode[]) {
    this.playButton.classList.add("primary");
    this.playButton.onclick = () => this.play(!this.playing);
    for (const factor of [0.25, 0.5, 1, 2, 4]) this.speed.append(element("option", { value: String(factor), ...(factor === 1 ? { selected: "" } : {}) }, `${factor}×`));
    this.speed.onchange = () => this.showRate();
    this.controls = element("div", { class: "controls", role: "group", "aria-label": "Playback" }, this.playButton, this.readout, element("label", { class: "speed" }, this.speed, this.rate));
  }

  choose(mode: number): void {
    this.mode = mode;
    const { omega, kind } = this.modes[mode];
    this.readout.textContent = `mode ${mode + 1}: ${swings(this.modes[mode]) ? `${number(omega, 6)} rad/s` : remark[kind](this.modes[mode])}`;
    this.showRate();
    this.seek(WIDEST);
  }

  seek(phase: number): void {
    this.phase = phase;
    this.onTurn(this.mode, phase);
  }

  toggle(): void { this.play(!this.playing); }

  play(on: boolean): void {
    const starts = on && !this.playing;
    this.playing = on;
    const label = on ? "Pause (space)" : "Play (space)";
    this.playButton.setAttribute("aria-label", label);
    this.playButton.title = label;
    this.playButton.querySelector("path")?.setAttribute("d", on ? PAUSE : PLAY);
    if (!starts) return;
    this.last = performance.now();
    requestAnimationFrame((now) => this.tick(now));
  }

  private tick(now: number): void {
    if (!this.playing) return;
    const elapsed = Math.min(0.1, (now - this.last) / 1000); // a hidden tab does not jump
    this.last = now;
    this.seek((this.phase + (elapsed * Number(this.speed.value)) / CYCLE) % 1);
    requestAnimationFrame((later) => this.tick(later));
  }

  private showRate(): void {
    const mode = this.modes[this.mode];
    const ratio = (CYCLE * mode.eigenvalue[1]) / (2 * Math.PI * Number(this.speed.value)), factor = number(Math.max(ratio, 1 / ratio), 2);
    this.rate.textContent = !swings(mode) ? "" : factor === "1" ? "real time" : `${ratio > 1 ? "slowed" : "sped up"} ${factor}×`;
  }
}

function shapeCard(mode: Mode, index: number): HTMLElement {
  const rows = Object.entries(mode.shape).map(([name, value]): Cell[] => [name, number(value, 6), ...(mode.quadrature ? [number(mode.quadrature[name], 6)] : [])]);
  if (mode.more > 0) rows.push([`and ${mode.more} smaller ones in modes.json`, ""]);
  return card(`Shape of mode ${index + 1}`, element("p", { class: "hint" }, "The largest is 1; what does not move is left out."),
    table(["", "displacement", ...(mode.quadrature ? ["a quarter period ahead"] : [])], rows, [1, 2]));
}

function listOf(modes: Mode[], choose: (index: number) => void): { list: HTMLElement; rows: HTMLTableRowElement[] } {
  const head = ["mode", "ω, rad/s", "frequency, Hz", "period, s", "damping ratio", "", "moves most"];
  const list = table(head, modes.map((mode, i): Cell[] => [
    element("button", { type: "button", class: "toggle" }, String(i + 1)), number(mode.omega, 9), number(mode.frequency_hz, 7),
    swings(mode) ? number((2 * Math.PI) / mode.eigenvalue[1], 7) : "–", mode.kind === "rigid" ? "–" : number(mode.damping, 4), remark[mode.kind](mode), mode.carriers,
  ]), [1, 2, 3, 4], "modes");
  const rows = [...list.querySelectorAll<HTMLTableRowElement>("tbody tr")];
  rows.forEach((row, i) => (row.onclick = () => choose(i)));
  return { list, rows };
}

// Returns what tests look at.
export function showModes(data: object): Record<string, unknown> {
  const { modes: found, about, drawing, swing, ...raw } = data as Data;
  const { model, title, program, note, freedoms, modes } = found;
  document.title = `${model}: modes`;
  byId("top").append(element("div", { class: "heading" }, element("h1", {}, `Modes of ${title || model}`),
    element("p", {}, `${model} · about ${about} · ${freedoms} ${freedoms === 1 ? "freedom" : "freedoms"}`)), themeButton());
  if (note) {
    byId("notice").textContent = `${note.charAt(0).toUpperCase()}${note.slice(1)}.`;
    byId("notice").className = "notice plain";
    byId("notice").hidden = false;
  }
  byId("outputs").className = "card modes-list";
  byId("outputs").setAttribute("aria-label", "Modes");
  byId("bottom").append(element("p", {}, `Written by ${program}. Drawn larger than small: the equations hold for small motions. Space plays, ↑ and ↓ change the mode.`));
  document.documentElement.dataset.ready = "yes";
  if (modes.length === 0) {
    byId("stage").append(element("p", { class: "hint" }, "Nothing can move, so there are no modes."));
    return { modes };
  }
  // The stage takes the frames of all modes for those of a run.
  const report = { ...readColumns(["t"], raw), about: { drawing }, points: pointsOf(raw), run: { title: `a mode of ${title || model}` } } as unknown as Report;
  const swinging = new Swinging(modes);
  const stage = report.points.length > 0 ? new Stage(report, byId("stage"), swinging.controls) : undefined;
  if (!stage) byId("stage").append(element("p", { class: "hint" }, "This model does not say how it is drawn."));
  swinging.onTurn = (mode, phase) => stage?.show(mode * (swing + 1) + phase * swing);
  let chosen = 0;
  const choose = (index: number) => {
    chosen = index;
    rows.forEach((row, i) => row.setAttribute("aria-selected", String(i === index)));
    byId("tables").replaceChildren(shapeCard(modes[index], index));
    swinging.choose(index);
  };
  const { list, rows } = listOf(modes, choose);
  byId("outputs").append(element("header", {}, element("h2", {}, "Modes"), element("span", { class: "hint" }, "Click a mode to see it move.")), list);
  document.addEventListener("keydown", (event) => {
    const target = event.target as HTMLElement;
    if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName)) return;
    if (target.dataset.orbit && event.key.startsWith("Arrow")) return;
    const turn: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };
    if (event.key === " " && target.tagName !== "BUTTON") swinging.toggle();
    else if (turn[event.key]) choose((chosen + turn[event.key] + modes.length) % modes.length);
    else return;
    event.preventDefault();
  });
  choose(Math.max(0, modes.findIndex((mode) => mode.kind !== "rigid")));
  swinging.play(stage !== undefined && !window.matchMedia("(prefers-reduced-motion: reduce)").matches);
  return { modes, stage, swinging, choose };
}
