// The moment that the report shows: play, pause, step, scrub, speed. Everything that moves listens to it.
import type { Report } from "../page/data";
import { sliderMarks, type Mark } from "../charts/marks";
import { speedsOf, speedText } from "./speeds";
import { button, element, number } from "../page/text";

const PLAY = "M7 5v14l12-7z", PAUSE = "M6 5h4v14H6zM14 5h4v14h-4z";
const FIRST = "M6 5h2.5v14H6zM20 5v14L9.5 12z", BACK = "M15 5v14L5 12zM17 5h2v14h-2z", FORTH = "M9 5v14l10-7zM5 5h2v14H5z";
const LONGEST = 0.5; // s between two frames that are made up for; a hidden tab does not jump

export class Player {
  readonly controls: HTMLElement;
  playing = false;
  position = 0; // in frames, not always whole
  private readonly listeners: ((position: number) => void)[] = [];
  private readonly scrub: HTMLInputElement;
  private readonly playButton: HTMLButtonElement;
  private readonly readout: HTMLOutputElement;
  private readonly speed: HTMLSelectElement;
  private readonly rate: HTMLElement;
  private readonly decimals: number; // of the time shown: a thousandth of the run can be distinguished
  private last = 0;

  constructor(private readonly report: Report, marks: Mark[] = []) {
    const end = Math.max(0, report.t.length - 1);
    const span = report.t[end] - report.t[0];
    this.decimals = span > 0 ? Math.min(12, Math.max(0, 3 - Math.floor(Math.log10(span)))) : 6;
    this.scrub = element("input", { type: "range", min: "0", max: String(end), step: "1", value: "0", "aria-label": "Time" });
    this.playButton = button("Play (space)", PLAY);
    this.playButton.classList.add("primary");
    this.readout = element("output", { class: "time" });
    this.speed = element("select", { "aria-label": "Speed" });
    const { speeds, usual } = speedsOf(span);
    for (const speed of speeds) this.speed.append(element("option", { value: String(speed), ...(speed === usual ? { selected: "" } : {}) }, speedText(speed)));
    this.rate = element("span", { class: "rate" });
    const first = button("To the start (Home)", FIRST), back = button("One frame back (←)", BACK), forth = button("One frame on (→)", FORTH);
    first.onclick = () => this.seek(0);
    back.onclick = () => this.step(-1);
    forth.onclick = () => this.step(1);
    this.playButton.onclick = () => this.toggle();
    const share = (t: number) => (span > 0 ? this.positionOf(t) / end : 0);
    const track = element("span", { class: "track" }, sliderMarks(marks, share, (t) => this.seekTime(t)), this.scrub);
    this.scrub.oninput = () => { this.pause(); this.seek(Number(this.scrub.value)); };
    this.speed.onchange = () => this.showRate();
    this.controls = element("div", { class: "controls", role: "group", "aria-label": "Playback" },
      first, back, this.playButton, forth, track, this.readout, element("label", { class: "speed" }, this.speed, this.rate));
    document.addEventListener("keydown", (event) => this.onKey(event));
    this.showRate();
    this.seek(0);
  }

  onMove(listener: (position: number) => void): void {
    this.listeners.push(listener);
    listener(this.position);
  }

  get time(): number {
    const t = this.report.t, i = Math.floor(this.position), f = this.position - i;
    return f > 0 ? t[i] + f * (t[i + 1] - t[i]) : t[i];
  }

  seek(position: number): void {
    this.position = Math.min(Math.max(position, 0), Math.max(0, this.report.t.length - 1));
    this.scrub.value = String(Math.round(this.position));
    const text = `${this.time.toFixed(this.decimals)} s`;
    this.scrub.setAttribute("aria-valuetext", `t = ${text}`);
    this.readout.textContent = `t = ${text}`;
    for (const listener of this.listeners) listener(this.position);
  }

  // The position of a time; the frames of a run that ended early are not evenly spaced.
  private positionOf(time: number): number {
    const t = this.report.t;
    let low = 0, high = t.length - 1;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (t[middle] <= time) low = middle; else high = middle;
    }
    return low + (t[high] > t[low] ? Math.min(1, Math.max(0, (time - t[low]) / (t[high] - t[low]))) : 0);
  }

  // The last frame before a time.
  positionBefore(time: number): number {
    return Math.max(0, Math.ceil(this.positionOf(time)) - 1);
  }

  seekTime(time: number): void {
    this.pause();
    this.seek(Math.round(this.positionOf(time)));
  }

  step(frames: number): void {
    this.pause();
    this.seek(Math.round(this.position) + frames);
  }

  toggle(): void {
    if (this.playing) this.pause(); else this.play();
  }

  play(): void {
    if (this.playing || this.report.t.length < 2) return;
    this.playing = true;
    this.show("Pause (space)", PAUSE);
    this.last = performance.now();
    requestAnimationFrame((now) => this.tick(now));
  }

  pause(): void {
    if (!this.playing) return;
    this.playing = false;
    this.show("Play (space)", PLAY);
  }

  private show(label: string, path: string): void {
    this.playButton.setAttribute("aria-label", label);
    this.playButton.title = label;
    this.playButton.querySelector("path")?.setAttribute("d", path);
  }

  private tick(now: number): void {
    if (!this.playing) return;
    const t = this.report.t, end = t.length - 1;
    const elapsed = Math.min(LONGEST, (now - this.last) / 1000);
    this.last = now;
    const next = this.time + elapsed * Number(this.speed.value);
    this.seek(next > t[end] ? 0 : this.positionOf(next));
    requestAnimationFrame((later) => this.tick(later));
  }

  private showRate(): void {
    const t = this.report.t, span = t[t.length - 1] - t[0];
    if (span > 0) this.rate.textContent = `lasts ${number(span / Number(this.speed.value), 2)} s`;
  }

  private onKey(event: KeyboardEvent): void {
    const target = event.target as HTMLElement;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (/^(INPUT|SELECT|TEXTAREA|BUTTON|A|SUMMARY)$/.test(target.tagName)) return; // they have keys of their own
    if (target.dataset.orbit && event.key.startsWith("Arrow")) return;
    const keys: Record<string, () => void> = {
      " ": () => this.toggle(), ArrowLeft: () => this.step(-1), ArrowRight: () => this.step(1),
      Home: () => { this.pause(); this.seek(0); }, End: () => { this.pause(); this.seek(this.report.t.length - 1); },
    };
    const action = keys[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }
}
