// How fast a motion is played: a speed says how many seconds of motion pass in a second, so that 1 is real time.
import { number } from "../page/text";

const USUAL = 10; // s that a run lasts on the screen until another speed is chosen

// The nearest of 1, 2 and 5 times a power of ten.
function nearestNice(value: number): number {
  const power = Math.floor(Math.log10(value));
  const candidates = [1, 2, 5, 10].map((digit) => Number(`${digit}e${power}`));
  return candidates.reduce((best, c) => (Math.abs(Math.log(c / value)) < Math.abs(Math.log(best / value)) ? c : best));
}

// Seven around the usual one, and real time. A run that lasts about as long as usual is played in real time.
export function speedsOf(span: number): { speeds: number[]; usual: number } {
  if (!(span > 0)) return { speeds: [1], usual: 1 };
  const usual = span > 0.2 * USUAL && span < 3 * USUAL ? 1 : nearestNice(span / USUAL);
  const around = [0.1, 0.2, 0.5, 1, 2, 5, 10].map((factor) => nearestNice(usual * factor));
  return { speeds: [...new Set([...around, 1])].sort((a, b) => a - b), usual };
}

export function speedText(speed: number): string {
  if (speed === 1) return "1×, real time";
  return speed < 1 ? `${number(speed, 1)}×, ${number(1 / speed, 2)} times slower` : `${number(speed, 1)}×, faster`;
}
