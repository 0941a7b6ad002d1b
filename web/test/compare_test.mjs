// The page of raak compare: a curve for each run in the plot of each quantity, and the differences.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { artefacts, eventually, open, raak, scratch } from "./browser.mjs";

function compare(name, ...runs) {
  const folders = runs.map(([folder, ...options]) => {
    const out = join(scratch, name, folder);
    execFileSync(raak, ["run", ...options, "--quiet", "--out", out]);
    return out;
  });
  const page = join(scratch, name, "compare.html");
  execFileSync(raak, ["compare", ...folders, "--out", page]);
  return page;
}

test("linear and nonlinear beam are overlaid, as in Figure II.19.3", async () => {
  const { page, complaints, requests } = await open(compare("beams", ["linear", "slider-crank"], ["nonlinear", "slider-crank", "--set", "beam=nonlinear"]), { reducedMotion: "reduce" });
  const panel = page.locator('[data-plot="q.q4"]');
  assert.deepEqual(await panel.locator(".legend .name").allTextContents(), ["linear", "nonlinear"]);
  assert.match(await panel.locator(".chart").getAttribute("aria-label"), /^q\.q4 over time, q\.q4 \/ m: linear from −9\.\d+e−6 to 1\.69\d*e−5.*; nonlinear from −3\.\d+e−5/);
  assert.match(await page.locator("#outputs").textContent(), /beam=linear.*beam=nonlinear/s);
  assert.match(await page.locator("#tables").textContent(), /Largest differences from linear.*q\.q4/s);
  const count = await page.evaluate(() => [window.raak.comparison.common.length, document.querySelectorAll("[data-plot]").length]);
  assert.equal(count[0], count[1], "every quantity");
  await page.locator("#modulo").click();
  await eventually(() => page.evaluate(() => window.raak.board.axis("q.phi1")), ({ max }) => max < 3.3, "modulo 2π");
  await panel.scrollIntoViewIfNeeded();
  await page.screenshot({ path: join(artefacts, "compare.png") });
  assert.deepEqual(complaints, []);
  assert.equal(requests.filter((url) => !/^(file|data):/.test(url)).length, 0);
  await page.close();
});

test("runs of other spans, models and names are compared, and names are text", async () => {
  const bad = "<img src=x onerror=window.poisoned=1>";
  const { page, complaints } = await open(compare("others", ["long", "pendulum"], [bad, "pendulum", "--until", "1", "--frames", "7"], ["car", "car-axis"]), { reducedMotion: "reduce", viewport: { width: 390, height: 800 } });
  assert.match(await page.locator("h1").textContent(), /<img src=x/);
  assert.equal(await page.evaluate(() => window.poisoned), undefined);
  const text = await page.locator("#outputs").textContent();
  assert.match(text, /Not in all runs, so not compared: .*q\.xl.* of car/);
  assert.match(text, /cubic interpolation/);
  assert.deepEqual(await page.locator('[data-plot="energy.kinetic"] .legend .name').allTextContents(), ["long", bad, "car"]);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "nothing sticks out sideways");
  const nameless = await page.evaluate(() => [...document.querySelectorAll("button, input, select")].filter((e) => !(e.getAttribute("aria-label") || e.textContent.trim())).length);
  assert.equal(nameless, 0);
  assert.deepEqual(complaints, []);
  await page.close();
});
