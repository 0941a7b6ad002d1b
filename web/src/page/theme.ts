// Light and dark: that of the system until the reader chooses, light on paper.

const listeners: (() => void)[] = [];
const system = window.matchMedia("(prefers-color-scheme: dark)");

export function isDark(): boolean {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : system.matches;
}

export function onThemeChange(listener: () => void): void {
  listeners.push(listener);
}

// Asking the browser for a colour is slow, and every frame needs several.
const known = new Map<string, string>();
const announce = () => {
  known.clear();
  listeners.forEach((listener) => listener());
};

export function toggleTheme(): void {
  const next = isDark() ? "light" : "dark";
  document.documentElement.dataset.theme = next;
  try { localStorage.setItem("raak-theme", next); } catch { /* private mode */ }
  announce();
}

export function colour(name: string): string {
  let value = known.get(name);
  if (value === undefined) {
    value = getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
    known.set(name, value);
  }
  return value;
}

// Okabe and Ito, Color Universal Design (2008), without yellow; the same order as in the program's diagrams.
const light = ["#0072b2", "#d55e00", "#009e73", "#b5498a", "#b97a00", "#3a9bd9", "#4a4f57", "#8c564b"];
const dark = ["#56a8e0", "#f08a4b", "#3fc79b", "#e39ac4", "#e6b450", "#8fd0ff", "#c3c8cf", "#c49c94"];
export function seriesColour(index: number): string {
  return (isDark() ? dark : light)[index % light.length];
}

// When the colours are used up they begin again, with another dash: the lengths of strokes and gaps in pixels.
const dashes = [[], [7, 3], [2, 3], [9, 3, 2, 3], [14, 4], [5, 2, 1, 2, 1, 2], [2, 6], [12, 2, 4, 2]];
export function seriesDash(index: number): number[] {
  return dashes[Math.floor(index / light.length) % dashes.length];
}

// The same as the background of a sample in a legend.
export function seriesSample(index: number): string {
  const own = seriesColour(index), dash = seriesDash(index);
  if (dash.length === 0) return own;
  let at = 0;
  const stops = dash.map((length, i) => `${i % 2 === 0 ? own : "transparent"} ${at}px ${(at += length)}px`);
  return `repeating-linear-gradient(90deg, ${stops.join(", ")})`;
}

export function watchTheme(): void {
  system.addEventListener("change", announce);
  let before: string | undefined;
  window.addEventListener("beforeprint", () => {
    before = document.documentElement.dataset.theme;
    document.documentElement.dataset.theme = "light";
    announce();
  });
  window.addEventListener("afterprint", () => {
    if (before === undefined) delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = before;
    announce();
  });
}
