// The page of raak sweep: brushes that all pictures show, a click that shows a case, the mechanism in motion, failed cases.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import { artefacts, eventually, open, picture, raak, scratch } from "./browser.mjs";

const model = `format = "raak/1"
gravity = [0.0, -9.81]
[parameters]
m = 1.0
l = 0.5
[ground.points]
O = [0.0, 0.0]
[bodies.rod]
mass = "m"
inertia = 0.01
com = [0.25, 0.0]
points = { O = [0.0, 0.0], P = ["l", 0.0] }
[joints]
O = { type = "revolute", pins = ["ground.O", "rod.O"] }
[start]
trust = { "rod.angle" = -0.5, "rod.omega" = 0.0 }
[outputs]
x = "rod.P.x"
[events]
far = { when = "rod.angle + 2.6" }
`;
const plan = `format = "raak-sweep/1"
model = "rod.toml"
design = "latin-hypercube"
samples = 400
[vary]
m = { from = -0.2, to = 1.8 }
l = { from = 0.4, to = 0.6 }
"rod.angle" = { normal = [-0.5, 0.1] }
[keep]
x = ["end", "min", "rms"]
"rod.omega" = "max"
t = "event:far"
`;
const folder = join(scratch, "sweep");

before(() => {
  writeFileSync(join(scratch, "rod.toml"), model);
  writeFileSync(join(scratch, "plan.toml"), plan);
  execFileSync(raak, ["sweep", join(scratch, "plan.toml"), "--out", folder]);
});
const opened = (options) => open(join(folder, "sweep.html"), options);

test("cases are drawn with the mechanism moving, without errors or network", async () => {
  const { page, complaints, requests } = await opened();
  assert.match(await page.locator("#top").textContent(), /400 cases, 4\d failed|400 cases, 3\d failed/);
  const first = await picture(page);
  await eventually(() => picture(page), (now) => now !== first, "the mechanism moves");
  assert.deepEqual(complaints, []);
  assert.equal(requests.filter((url) => !/^(file|data):/.test(url)).length, 0);
  await page.close();
});

test("a brush in one picture chooses cases in all", async () => {
  const { page } = await opened({ reducedMotion: "reduce" });
  const canvas = page.locator("#outputs canvas.rows").first();
  await canvas.scrollIntoViewIfNeeded();
  const box = await canvas.boundingBox();
  await page.mouse.move(box.x + 0.5 * box.width, box.y + 20);
  await page.mouse.down();
  await page.mouse.move(box.x + 0.8 * box.width, box.y + 0.6 * box.height, { steps: 5 });
  await page.mouse.up();
  const chosen = await page.evaluate(() => ({
    count: window.raak.rows.chosen.reduce((sum, each) => sum + each, 0), brushed: window.raak.rows.brushed,
    inside: [...window.raak.rows.chosen].every((each, i) => !each || (window.raak.rows.values[0][i] >= window.raak.rows.brush(0)[0] && window.raak.rows.values[0][i] <= window.raak.rows.brush(0)[1])),
  }));
  assert.equal(chosen.brushed, 2);
  assert.ok(chosen.count > 0 && chosen.count < 200, `${chosen.count} chosen`);
  assert.ok(chosen.inside);
  assert.match(await page.locator(".chosen").textContent(), new RegExp(`${chosen.count} of 400 cases chosen`));
  await page.screenshot({ path: join(artefacts, "sweep.png"), fullPage: true });
  await page.locator(".chosen button").click();
  assert.equal(await page.evaluate(() => window.raak.rows.brushed), 0);
  await page.close();
});

test("a click on a point shows its case and how to repeat it", async () => {
  const { page } = await opened({ reducedMotion: "reduce" });
  const canvas = page.locator("#outputs canvas.rows").first();
  await canvas.scrollIntoViewIfNeeded();
  const box = await canvas.boundingBox();
  await page.mouse.click(box.x + 0.6 * box.width, box.y + 0.4 * box.height);
  const shown = await page.evaluate(() => window.raak.rows.raw.cases[window.raak.rows.shown]);
  assert.match(await page.locator("#case").textContent(), new RegExp(`Case ${shown}.*raak run --case .*:${shown}`, "s"));
  await page.close();
});

test("failed cases have their causes and their place", async () => {
  const { page, complaints } = await opened({ reducedMotion: "reduce" });
  const text = await page.locator("#tables").textContent();
  assert.match(text, /cases failed/);
  assert.match(text, /Summary of all cases/);
  const failed = await page.evaluate(() => window.raak.rows.failed.map((each, i) => each && window.raak.rows.values[0][i]).filter((m) => m !== false));
  assert.ok(failed.length > 0 && failed.every((m) => m <= 0));
  assert.deepEqual(complaints, []);
  await page.close();
});

test("cases without a number for something that is kept are counted", async () => {
  const { page } = await opened({ reducedMotion: "reduce" });
  const { blank, ended } = await page.evaluate(() => {
    const { rows } = window.raak, k = rows.columns.findIndex((column) => column.name === "t.event:far");
    const ended = [...rows.failed].map((each, i) => i).filter((i) => !rows.failed[i]);
    return { ended: ended.length, blank: ended.filter((i) => !Number.isFinite(rows.values[k][i])).length };
  });
  assert.ok(blank > 0 && blank < ended, `${blank} of ${ended}`);
  assert.match(await page.locator("#tables").textContent(), new RegExp(`t\\.event:far has no number in ${blank} of ${ended} cases that came to their end`));
  await page.close();
});
