// Mechanisms in space: solids and lines, turning, following what goes far.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { artefacts, example, open, picture, raak, reportOf, scratch } from "./browser.mjs";

// The governor has two springs, of hundreds of pieces of wire.
for (const model of ["bricard", "flyball-governor", "bicycle"]) {
  test(`the solids of ${model} are drawn without a graphics card`, async () => {
    const { page, complaints } = await open(reportOf(example(model), ...(model === "flyball-governor" ? ["--until", "1"] : [])), { reducedMotion: "reduce" });
    assert.equal(await page.locator("canvas.scene").getAttribute("data-solid"), "yes");
    const best = await page.evaluate(() => {
      const { stage } = window.raak, one = new Uint8Array(4), gl = stage.solid.canvas.getContext("webgl2");
      let fastest = Infinity;
      for (let i = 0; i < 60; ++i) {
        const began = performance.now();
        stage.show(i);
        gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, one); // waits for the picture
        if (i >= 20) fastest = Math.min(fastest, performance.now() - began);
      }
      return fastest;
    });
    console.log(`a frame of ${model} in ${best.toFixed(1)} ms`);
    await page.screenshot({ path: join(artefacts, `${model}.png`) });
    assert.deepEqual(complaints, []);
    await page.close();
  });
}

test("wheels are drawn as wheels", async () => {
  const { page } = await open(reportOf(example("bicycle"), "--until", "0.5"), { reducedMotion: "reduce" });
  const elements = await page.evaluate(() => window.raak.report.about.drawing.elements);
  const wheels = elements.filter((e) => e.kind === "disc");
  assert.deepEqual(wheels.map((e) => [e.name, e.points.length]), [["rear", 3], ["front", 3]]);
  assert.deepEqual(elements.filter((e) => e.kind === "mass").map((e) => e.name), [], "no ball in place of a wheel");
  const radii = await page.evaluate((points) => {
    const { motion } = window.raak.stage, [c, a, b] = points.map((p) => motion.place(0, p));
    const length = (p) => Math.hypot(...p.map((x, k) => x - c[k]));
    return [length(a), length(b)];
  }, wheels[0].points);
  for (const radius of radii) assert.ok(Math.abs(radius - 0.3) < 1e-5, `${radius} m`);
  await page.close();
});

test("what goes far is followed, and names do not cover each other", async () => {
  const { page } = await open(reportOf(example("bicycle")), { reducedMotion: "reduce" });
  const follow = page.getByRole("button", { name: "Follow" });
  assert.equal(await follow.getAttribute("aria-pressed"), "true");
  const near = await picture(page);
  await follow.click();
  assert.notEqual(await picture(page), near);
  await page.close();
  const many = await open(reportOf(example("n-four-bar-40")), { reducedMotion: "reduce" });
  assert.equal(await many.page.getByRole("button", { name: "Follow" }).count(), 0, "it stays where it is");
  await many.page.screenshot({ path: join(artefacts, "n-four-bar-40.png") });
  await many.page.close();
});

test("what hangs on the ground is not followed, however small its body is; what rolls or slides away is", async () => {
  for (const [model, followed] of [["pendulum", 0], ["chaplygin-sleigh", 1], ["rolling-disc", 1]]) {
    const { page } = await open(reportOf(followed ? example(model) : model), { reducedMotion: "reduce" });
    assert.equal(await page.getByRole("button", { name: "Follow" }).count(), followed, model);
    await page.screenshot({ path: join(artefacts, `followed-${model}.png`) });
    await page.close();
  }
});

test("thirty series of a spatial mechanism can be told apart and bear their own names", async () => {
  const { page } = await open(reportOf(example("bricard")), { reducedMotion: "reduce" });
  const plot = page.locator('[data-plot="Coordinates"]');
  const looks = await plot.locator(".legend i").evaluateAll((all) => all.map((e) => e.style.background));
  assert.ok(looks.length >= 35);
  assert.equal(new Set(looks).size, looks.length, "no two look the same");
  const heights = await plot.first().evaluate((e) => [e.querySelector(".legend").clientHeight, e.querySelector(".chart").clientHeight]);
  assert.ok(heights[0] < heights[1], `a legend of ${heights[0]} px below a plot of ${heights[1]} px`);
  const names = await page.locator('[data-plot="Accelerations"] .legend .name').allTextContents();
  assert.deepEqual(names.filter((n) => /velocity|omega/.test(n)), []);
  assert.ok(names.includes("rod1.acceleration.x") && names.includes("rod1.alpha.x"));
  await page.close();
});

test("a robot arm is drawn as solids, turns, and is drawn flat without WebGL", async () => {
  const model = join(scratch, "robot-arm.toml");
  execFileSync(raak, ["new", "robot-arm", "--out", model]);
  const file = reportOf(model);
  const { page, complaints } = await open(file, { reducedMotion: "reduce" });
  assert.equal(await page.locator("canvas.scene").getAttribute("data-solid"), "yes");
  const start = await picture(page);
  await page.locator(".controls input").fill("300");
  const moved = await picture(page);
  assert.notEqual(moved, start, "the arm moves");
  await page.locator("canvas.scene").focus();
  await page.keyboard.press("ArrowLeft");
  assert.notEqual(await picture(page), moved, "the arrow keys turn it");
  await page.screenshot({ path: join(artefacts, "robot-arm.png") });
  assert.match((await page.locator('[data-plot="Work input"]').allTextContents()).join(), /lift_motor/);
  assert.match(await page.locator("#tables").textContent(), /Energy ledger.*turn_motor/s);
  assert.match(await page.locator("pre").textContent(), /format = "raak\/1"/, "the model file is there");
  assert.deepEqual(complaints, []);
  await page.close();
  const flat = await open(file, { reducedMotion: "reduce" }, "?flat");
  assert.equal(await flat.page.locator("canvas.scene").getAttribute("data-solid"), "no");
  await flat.page.locator(".controls input").fill("300");
  assert.notEqual(await picture(flat.page), moved, "another picture of the same");
  await flat.page.screenshot({ path: join(artefacts, "robot-arm-flat.png") });
  assert.deepEqual(flat.complaints, []);
  await flat.page.close();
});

// No built-in model is spatial: the data of one are put in place of another's.
test("a spatial mechanism is drawn and can be turned", async () => {
  const page0 = readFileSync(reportOf("pendulum"), "utf8");
  const data = JSON.parse(/id="data">(.*?)<\/script>/s.exec(page0)[1]);
  data.about.drawing = { dimension: 3, points: ["O", "P", "Q", "R"], elements: [
    { kind: "ground", points: [0] }, { kind: "bar", points: [0, 1], name: "arm" }, { kind: "spring", points: [1, 2] },
    { kind: "mass", points: [2], size: 0.08 }, { kind: "disc", points: [0, 1, 3] }, { kind: "trace", points: [2] }] };
  const points = new Float32Array(data.frames.count * 12);
  for (let i = 0; i < data.frames.count; ++i) {
    const a = i / 40;
    points.set([0, 0, 0, Math.cos(a), Math.sin(a), 0, Math.cos(a), Math.sin(a), -0.6 + 0.2 * Math.sin(3 * a), -Math.sin(a), Math.cos(a), 0], 12 * i);
  }
  data.frames.points = Buffer.from(points.buffer).toString("base64");
  const file = join(scratch, "spatial.html");
  writeFileSync(file, page0.replace(/(id="data">).*?(<\/script>)/s, (_, a, b) => a + JSON.stringify(data) + b));
  const { page, complaints } = await open(file, { reducedMotion: "reduce" });
  await page.locator(".controls input").fill("100");
  const before = await picture(page);
  const box = await page.locator("canvas.scene").boundingBox();
  await page.mouse.move(box.x + 300, box.y + 200);
  await page.mouse.down();
  await page.mouse.move(box.x + 380, box.y + 230, { steps: 3 });
  await page.mouse.up();
  const turned = await picture(page);
  assert.notEqual(turned, before);
  await page.locator("canvas.scene").focus();
  await page.keyboard.press("ArrowLeft");
  assert.notEqual(await picture(page), turned, "the arrow keys turn it too");
  await page.screenshot({ path: join(artefacts, "spatial.png") });
  assert.deepEqual(complaints, []);
  await page.close();
});
