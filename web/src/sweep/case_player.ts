// The mechanism of one case in motion: the frames of all cases that the page has lie one behind the other.
import { pointsOf, readColumns, type Drawing, type RawFrames, type Report } from "../page/data";
import { button, element, number } from "../page/text";
import { Stage } from "../stage/stage";

const PLAY = "M7 5v14l12-7z", PAUSE = "M6 5h4v14H6zM14 5h4v14h-4z";
const CYCLE = 4; // s on the screen for one case, at speed 1

export class CasePlayer {
  playing = false;
  shown = 0; // place of the case among those that move
  private share = 0;
  private last = 0;
  private readonly stage: Stage;
  private readonly playButton = button("Play (space)", PLAY);
  private readonly slider = element("input", { type: "range", min: "0", max: "1", step: "0.001", value: "0", "aria-label": "Time" });
  private readonly readout = element("output", { class: "time" });

  constructor(home: HTMLElement, drawing: Drawing, raw: RawFrames, title: string, private readonly frames: number, private readonly until: number, cases: number[], choose: (moving: number) => void) {
    const report = { ...readColumns(["t"], raw), about: { drawing }, points: pointsOf(raw), run: { title } } as unknown as Report;
    this.playButton.classList.add("primary");
    this.playButton.onclick = () => this.play(!this.playing);
    this.slider.oninput = () => this.seek(Number(this.slider.value));
    const list = element("select", { "aria-label": "Case in motion" });
    cases.forEach((each, k) => list.append(element("option", { value: String(k) }, `case ${each}`)));
    list.onchange = () => choose(Number(list.value));
    this.list = list;
    this.stage = new Stage(report, home, element("div", { class: "controls", role: "group", "aria-label": "Playback" }, this.playButton, this.slider, this.readout, list));
  }
  private readonly list: HTMLSelectElement;

  show(moving: number): void {
    this.shown = moving;
    this.list.value = String(moving);
    this.seek(this.share);
  }

  seek(share: number): void {
    this.share = share;
    this.slider.value = String(share);
    this.readout.textContent = `${number(share * this.until, 3)} s`;
    this.stage.show(this.shown * this.frames + share * (this.frames - 1));
  }

  play(on: boolean): void {
    const starts = on && !this.playing;
    this.playing = on;
    this.playButton.title = on ? "Pause (space)" : "Play (space)";
    this.playButton.setAttribute("aria-label", this.playButton.title);
    this.playButton.querySelector("path")?.setAttribute("d", on ? PAUSE : PLAY);
    if (!starts) return;
    this.last = performance.now();
    requestAnimationFrame((now) => this.tick(now));
  }

  private tick(now: number): void {
    if (!this.playing) return;
    const elapsed = Math.min(0.1, (now - this.last) / 1000); // a hidden tab does not jump
    this.last = now;
    this.seek((this.share + elapsed / CYCLE) % 1);
    requestAnimationFrame((later) => this.tick(later));
  }
}
