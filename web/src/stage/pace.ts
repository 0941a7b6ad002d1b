// How sharp a moving picture may be: it is painted larger than it is shown, which smooths its edges, but only as much larger
// as leaves 30 frames a second. A picture that stands still is painted once more, as sharp as can be.

const BEST = 2, WORST = 0.5; // times the pixels of the screen, in each direction
const LONGEST = 30; // ms between frames, for 30 a second with some to spare
const FEW = 4; // frames to judge by
const STILL = 250; // ms without a frame: nothing moves

export class Pace {
  private moving: number;
  private last = -Infinity; // ms, of the frame before
  private spent = 0;
  private frames = 0;
  private timer = 0;

  constructor(slow: boolean, private readonly paintStill: () => void) {
    this.moving = slow ? 0.8 : BEST;
  }

  // Asked before each frame.
  sharpness(now: number): number {
    window.clearTimeout(this.timer);
    const since = now - this.last, moves = since < STILL;
    this.last = now;
    if (!moves) this.spent = this.frames = 0;
    else if (++this.frames > 0) this.spent += since;
    if (this.frames >= FEW) {
      const mean = this.spent / this.frames;
      if (mean > LONGEST) this.moving = Math.max(WORST, this.moving * Math.max(0.6, Math.sqrt(LONGEST / mean)));
      this.spent = this.frames = 0;
    }
    if (this.moving < BEST) this.timer = window.setTimeout(() => { this.last = -Infinity; this.still(); }, STILL);
    return moves ? this.moving : BEST;
  }

  private still(): void {
    this.paintStill();
    window.clearTimeout(this.timer);
  }
}
