// Known values over time in a report: points over the curves, and the violation of the constraints at steps and frames.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { artefacts, eventually, open, reportOf, scratch, shown } from "./browser.mjs";

const table = (name, lines) => {
  const path = join(scratch, name);
  writeFileSync(path, lines.join("\n") + "\n");
  return path;
};

test("a table is drawn over the curves, stretches their axis and hides with them", async () => {
  const far = table("far.csv", ["t,F.x,F.y,energy.kinetic", "0.01,0.005,0.001,0.2", "0.02,-0.02,0.002,0.4", "0.03,0.001,-0.003,0.6"]);
  const plain = await open(reportOf("andrews-iftomm"), { reducedMotion: "reduce" });
  const bare = await shown(plain.page.locator('[data-plot="Outputs"] canvas').first());
  assert.doesNotMatch(await plain.page.locator('[data-plot="Outputs"] header').first().textContent(), /far\.csv/);
  const before = await plain.page.evaluate(() => window.raak.board.axis("Outputs"));
  await plain.page.close();
  const { page, complaints } = await open(reportOf("andrews-iftomm", "--against", far), { reducedMotion: "reduce" });
  const panel = page.locator('[data-plot="Outputs"]').first(), canvas = panel.locator("canvas").first();
  assert.match(await panel.locator("header").textContent(), /points: .*far\.csv/);
  assert.match(await page.locator('[data-plot="Energies"] header').first().textContent(), /far\.csv/);
  assert.doesNotMatch(await page.locator('[data-plot="Velocities"] header').first().textContent(), /far\.csv/);
  const axis = await page.evaluate(() => window.raak.board.axis("Outputs"));
  assert.ok(before.min > -0.012 && axis.min < -0.02, `from ${before.min} to ${axis.min}`);
  const drawn = await shown(canvas);
  assert.notEqual(drawn, bare);
  await panel.scrollIntoViewIfNeeded();
  await page.screenshot({ path: join(artefacts, "known-values.png") });
  const button = panel.locator(".legend button").first();
  await button.click();
  await eventually(() => shown(canvas), (now) => now !== drawn, "the points of a hidden series go with it");
  await button.click();
  await eventually(() => shown(canvas), (now) => now === drawn, "and come back");
  assert.deepEqual(complaints, []);
  await page.close();
});

test("the violation of the constraints is shown at the steps and at the frames", async () => {
  const { page, complaints } = await open(reportOf("andrews-iftomm"), { reducedMotion: "reduce" });
  const panels = page.locator('[data-plot="Constraint violation"]');
  assert.equal(await panels.count(), 2);
  assert.deepEqual(await panels.first().locator(".legend .name").allTextContents(), ["position", "position, frames"]);
  assert.deepEqual(await panels.last().locator(".legend .name").allTextContents(), ["velocity", "velocity, frames"]);
  assert.doesNotMatch((await page.locator('[data-plot="Outputs"] .legend .name').allTextContents()).join(), /violation/);
  await panels.last().scrollIntoViewIfNeeded();
  await page.screenshot({ path: join(artefacts, "violations.png") });
  assert.deepEqual(complaints, []);
  await page.close();
});
