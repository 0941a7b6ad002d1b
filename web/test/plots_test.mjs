// The plots and texts of a report: series, zoom, values that are zero, huge or absent, paper.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { artefacts, eventually, example, open, raak, reportOf, scratch, shown } from "./browser.mjs";

test("series can be switched, zoom is shared, and a click goes to its time", async () => {
  const { page, complaints } = await open(reportOf("andrews"), { reducedMotion: "reduce" });
  const chart = page.locator('[data-plot="Velocities"] .u-over').first();
  await chart.scrollIntoViewIfNeeded();
  let box = await chart.boundingBox();
  await page.mouse.click(box.x + box.width / 2, box.y + 40);
  const time = await page.evaluate(() => window.raak.player.time);
  assert.ok(Math.abs(time - 0.015) < 3e-4, `clicked on the middle, went to ${time}`);
  const button = page.locator('[data-plot="Coordinates"] .legend button').first();
  const other = page.locator('[data-plot="Coordinates"] canvas').first();
  const before = await shown(other);
  await button.click();
  assert.equal(await button.getAttribute("aria-pressed"), "false");
  const hidden = await shown(other);
  assert.notEqual(hidden, before);
  box = await chart.boundingBox(); // the click may have scrolled
  await page.mouse.move(box.x + 30, box.y + 60);
  await page.mouse.down();
  await page.mouse.move(box.x + 150, box.y + 60, { steps: 4 });
  await page.mouse.up();
  assert.notEqual(await shown(other), hidden, "the other plots zoom too");
  const moment = await page.evaluate(() => window.raak.player.time);
  await chart.dblclick();
  assert.equal(await shown(other), hidden, "a double click shows everything again");
  assert.equal(await page.evaluate(() => window.raak.player.time), moment, "and leaves the time alone");
  assert.deepEqual(complaints, []);
  await page.close();
});

test("joint forces that are not unique are explained in place of an empty plot", async () => {
  const { page, complaints } = await open(reportOf(example("bricard")), { reducedMotion: "reduce" });
  const panel = page.locator('[data-plot="Joint reactions"]');
  assert.match(await panel.textContent(), /No unique values in J1, .*J6: these joints constrain the same motion more than once/);
  assert.equal(await panel.locator("canvas").count(), 0);
  await panel.scrollIntoViewIfNeeded();
  await page.screenshot({ path: join(artefacts, "not-unique.png") });
  assert.deepEqual(complaints, []);
  await page.close();
  // A knocker on the door: its own hinge is alone, so its forces are unique and drawn.
  const model = join(scratch, "knocker.toml");
  const door = readFileSync(example("door"), "utf8").split("[references")[0];
  writeFileSync(model, door.replace("[joints]", `[bodies.knocker]
mass = 1.0
inertia = [0.1, 0.1, 0.1]
com = [0.1, 0.0, 0.0]
points = { pin = [0.0, 0.0, 0.0] }

[joints]
hinge = { type = "revolute", pins = ["door.edge", "knocker.pin"], axes = ["door.z", "knocker.z"] }`));
  const partly = await open(reportOf(model), { reducedMotion: "reduce" });
  const forces = partly.page.locator('[data-plot="Joint reactions"]');
  assert.match(await forces.filter({ hasText: "No unique" }).first().textContent(), /No unique values in .*low/);
  assert.match((await forces.locator(".legend .name").allTextContents()).join("; "), /hinge/, "by the name of the joint");
  assert.ok(await forces.locator("canvas").count() > 0, "the others are drawn");
  await partly.page.close();
});

test("plots can be enlarged by keyboard and say what they show", async () => {
  const { page } = await open(reportOf("pendulum"), { reducedMotion: "reduce" });
  const charts = page.locator('[data-plot="Coordinates"] .chart');
  assert.match(await charts.last().getAttribute("aria-label"), /^Coordinates over time, phi \/ rad: phi from .* to /);
  const chart = charts.first();
  assert.match(await chart.getAttribute("aria-label"), /^Coordinates over time, [qx] \/ m: x from .* to /);
  const before = await shown(chart.locator("canvas"));
  await chart.focus();
  await page.keyboard.press("+");
  const drawn = () => shown(chart.locator("canvas"));
  await eventually(drawn, (now) => now !== before, "+ enlarges");
  await page.keyboard.press("0");
  await eventually(drawn, (now) => now === before, "0 shows everything");
  await page.close();
});

const ARM = `format = "raak/1"
gravity = [0.0, -9.81]
[ground.points]
O = [0.0, 0.0]
[bodies.arm]
mass = 2.0
inertia = 0.4
com = [0.5, 0.0]
points = { O = [0.0, 0.0], E = [1.0, 0.0] }
[joints]
hinge = { type = "revolute", pins = ["ground.O", "arm.O"] }
[start]
trust = { "arm.angle" = 0.5, "arm.omega" = 0.0 }
[runs.default]
until = 2.0
`;

test("a long model file is printed whole", async () => {
  const model = join(scratch, "long.toml");
  writeFileSync(model, ARM + Array.from({ length: 100 }, (_, i) => `# ${i} ${"a long remark ".repeat(12)}\n`).join(""));
  const { page } = await open(reportOf(model), { reducedMotion: "reduce" });
  assert.match(await page.locator("summary").last().textContent(), /, 115 lines$/);
  await page.emulateMedia({ media: "print" });
  await page.evaluate(() => document.querySelectorAll("details").forEach((d) => (d.open = true)));
  const cut = await page.locator("pre").evaluate((e) => [e.scrollHeight - e.clientHeight, e.scrollWidth - e.clientWidth, getComputedStyle(e).overflow]);
  assert.deepEqual(cut, [0, 0, "visible"], "nothing is cut, below or at the side");
  await page.close();
});

test("zero is shown where an axis is logarithmic", async () => {
  const model = join(scratch, "zero.toml");
  writeFileSync(model, ARM);
  const { page, complaints } = await open(reportOf(model, "--method", "gauss"), { reducedMotion: "reduce" });
  const values = await page.locator('[data-plot="Constraint violation"] .legend .value').allTextContents();
  assert.deepEqual(values, ["0", "0", "0", "0"], "a pendulum in its angle violates nothing, at steps and at frames");
  await page.locator('[data-plot="Constraint violation"]').first().screenshot({ path: join(artefacts, "zero.png") });
  assert.deepEqual(complaints, []);
  await page.close();
});

test("what blew up beyond single precision is there", async () => {
  const model = join(scratch, "blow.toml"), out = join(scratch, "blow");
  writeFileSync(model, `format = "raak/1"
gravity = [0.0, 0.0]
[bodies.m]
type = "point"
mass = 1e12
[forces]
push = { type = "force", at = "m", value = ["1e12*m.x^3", 0] }
[start]
trust = { "m.x" = 1.0, "m.y" = 0.0, "m.vx" = 1.0, "m.vy" = 0.0 }
[runs.default]
until = 10.0
`);
  assert.throws(() => execFileSync(raak, ["run", model, "--quiet", "--out", out], { stdio: "pipe" }));
  const { page, complaints } = await open(join(out, "report.html"), { reducedMotion: "reduce" });
  const [kinetic, told] = await page.evaluate(() => [window.raak.report.column("energy.kinetic").at(-1), window.raak.report.run.outputs["energy.kinetic"]]);
  assert.ok(told > 1e40 && Math.abs(kinetic / told - 1) < 1e-6, `${kinetic} J of ${told} J`);
  assert.deepEqual(complaints, []);
  // The axis shows what was before; a switch shows everything.
  const panel = page.locator('[data-plot="Energies"]').first();
  assert.match(await panel.textContent(), /Diverges: beyond the axis from t = .* s, to 1?\d?(\.\d+)?e\d\d/);
  const top = () => page.evaluate(() => window.raak.board.axis("Energies").max);
  const cut = await top();
  assert.ok(cut < 1e20, `the axis ends at ${cut}`);
  await panel.screenshot({ path: join(artefacts, "blow-up.png") });
  await panel.locator(".beyond button").click();
  await eventually(top, (max) => max > 1e40, "everything");
  await panel.screenshot({ path: join(artefacts, "blow-up-everything.png") });
  await page.close();
});

// 760 periods in 500 frames: a curve through the frames shows a beat of 240 periods that does not exist.
const VIBRATION = `format = "raak/1"
gravity = [0.0, 0.0]
[ground.points]
O = [0.0, 0.0]
[bodies.m]
type = "point"
mass = 1.0
[forces]
spring = { type = "spring", between = ["ground.O", "m"], stiffness = "(2*pi*76)^2", length = 1.0 }
[start]
trust = { "m.x" = 1.2, "m.y" = 0.0, "m.vx" = 0.0, "m.vy" = 0.0 }
[runs.default]
until = 10.0
rtol = 1e-7
`;

test("a vibration faster than the frames is drawn as the band that it fills", async () => {
  const model = join(scratch, "vibration.toml"), out = join(scratch, "vibration");
  writeFileSync(model, VIBRATION);
  execFileSync(raak, ["run", model, "--quiet", "--out", out]);
  // Once more from the files of the folder alone.
  for (const again of [false, true]) {
    if (again) execFileSync(raak, ["report", out], { stdio: "pipe" });
    const { page, complaints } = await open(join(out, "report.html"), { reducedMotion: "reduce" });
    const panel = page.locator('[data-plot="Coordinates"]').first();
    await panel.scrollIntoViewIfNeeded();
    const extents = () => panel.locator("canvas").evaluate((canvas) => {
      const over = canvas.closest(".uplot").querySelector(".u-over"), scale = canvas.width / canvas.clientWidth;
      const copy = Object.assign(document.createElement("canvas"), { width: canvas.width, height: canvas.height });
      const context = copy.getContext("2d", { willReadFrequently: true });
      context.drawImage(canvas, 0, 0);
      const image = context.getImageData(0, 0, canvas.width, canvas.height);
      const from = Math.ceil(over.offsetLeft * scale), to = Math.floor((over.offsetLeft + over.offsetWidth) * scale);
      const columns = [];
      for (let x = from + 20; x < to - 20; ++x) { // the series is blue
        let top = Infinity, bottom = -Infinity, painted = 0;
        for (let y = 0; y < canvas.height; ++y) {
          const at = 4 * (y * canvas.width + x);
          if (image.data[at + 3] < 40 || image.data[at + 2] - image.data[at] < 60) continue;
          top = Math.min(top, y); bottom = Math.max(bottom, y); ++painted;
        }
        columns.push({ top, bottom, painted });
      }
      return columns;
    });
    // y lies within the band of x, and is drawn over it.
    await panel.locator(".legend button").nth(1).click();
    const columns = await eventually(extents, (all) => all.every((c) => c.painted > 0), "every column is painted");
    const height = Math.max(...columns.map((c) => c.bottom)) - Math.min(...columns.map((c) => c.top));
    assert.ok(columns.length > 200 && height > 60, `${columns.length} columns, ${height} pixels`);
    for (const { top, bottom, painted } of columns) {
      assert.ok(bottom - top > 0.95 * height, `a column reaches over ${bottom - top} of ${height} pixels`);
      assert.ok(painted > 0.95 * (bottom - top), "and is filled");
    }
    assert.match(await panel.locator(".chart").getAttribute("aria-label"), /m\.x from 0\.8\d* to 1\.2/);
    assert.match(await panel.locator(".unit").textContent(), /faster than the frames/);
    await panel.screenshot({ path: join(artefacts, again ? "vibration-again.png" : "vibration.png") });
    await panel.locator(".legend button").first().click();
    await eventually(extents, (all) => all.every((c) => c.painted === 0), "hidden with both its edges");
    assert.deepEqual(complaints, []);
    await page.close();
  }
});

test("angles modulo 2π, small components and units have axes of their own", async () => {
  const { page, complaints } = await open(reportOf("andrews"), { reducedMotion: "reduce" });
  const panels = () => page.locator('[data-plot="Coordinates"]').evaluateAll((cards) => cards.map((card) => [...card.querySelectorAll(".legend .name")].map((e) => e.textContent)));
  const plain = await panels();
  assert.ok(plain.some((names) => names.join() === "beta,theta"), `the large ones together: ${JSON.stringify(plain)}`);
  const axis = () => page.evaluate(() => window.raak.board.axis("Coordinates"));
  assert.ok((await axis()).max > 15, "beta turns twice and a half");
  await page.locator("#modulo").click();
  await eventually(axis, ({ max, min }) => max < 3.3 && min > -3.3, "one turn");
  assert.deepEqual(await panels(), plain);
  assert.deepEqual(await page.locator("#modulo").getAttribute("aria-pressed"), "true");
  await page.locator('[data-plot="Coordinates"]').first().screenshot({ path: join(artefacts, "modulo.png") });
  await page.locator("#modulo").click();
  await eventually(axis, ({ max }) => max > 15, "and back");
  assert.deepEqual(complaints, []);
  await page.close();
  const crank = await open(reportOf("slider-crank"), { reducedMotion: "reduce" });
  const shownWith = await crank.page.locator('[data-plot="Coordinates"]').evaluateAll((cards) => cards.map((card) => [card.querySelector(".chart").getAttribute("aria-label").match(/over time, (.*?):/)[1], [...card.querySelectorAll(".legend .name")].map((e) => e.textContent)]));
  for (const [label, names] of shownWith) {
    if (names.includes("phi1")) assert.ok(!names.some((name) => /^q\d/.test(name)) && / rad$/.test(label), label);
    if (names.includes("q4")) assert.ok(!names.includes("x3") && !names.includes("q1") && / m$/.test(label), `${label}: ${names}`);
  }
  assert.equal(shownWith.flatMap(([, names]) => names).length, 7, "each once");
  await crank.page.close();
  const car = await open(reportOf("car-axis"), { reducedMotion: "reduce" });
  assert.equal(await car.page.locator('[data-plot="Coordinates"]').count(), 4, "yl is not behind xl");
  assert.equal(await car.page.locator("#modulo").count(), 0, "no angle, no switch");
  await car.page.close();
});

test("the report and --plot share their panels and axes", async () => {
  for (const [model, ...options] of [["andrews"], ["car-axis"], ["slider-crank"], ["slider-crank", "--run", "buckling"], [example("n-four-bar-singular")], [example("bricard")]]) {
    const out = join(scratch, "panels"), kinds = [["q", "Coordinates"], ["a", "Accelerations"]];
    try { execFileSync(raak, ["run", model, "--quiet", "--plot", "q,a", "--out", out, ...options], { stdio: "pipe" }); } catch { /* it buckles */ }
    const { page } = await open(join(out, "report.html"), { reducedMotion: "reduce" });
    for (const [kind, title] of kinds) {
      const picture = readFileSync(join(out, `${kind}.svg`), "utf8");
      const labels = [...picture.matchAll(/rotate\(-90\)"[^>]*>([^<]*)</g)].map(([, text]) => text.replace(/^[qa]\.(?=\S)/, "").replace("velocity", "acceleration").replace("omega", "alpha"));
      const drawn = await page.locator(`[data-plot="${title}"] .chart`).evaluateAll((all) => all.map((e) => e.getAttribute("aria-label").match(/over time, (.*?):/)[1]));
      assert.deepEqual(drawn.map((text) => text.replace(/^[qa] /, "")), labels.map((text) => text.replace(/^[qa] /, "")), `${kind} of ${model}`);
      const notes = [...picture.matchAll(/diverges: beyond the axis from t = ([0-9.e-]+) s/g)].map(([, t]) => Number(t));
      const told = (await page.locator(`[data-plot="${title}"] .beyond`).allTextContents()).map((text) => Number(text.match(/t = ([0-9.e−]+) s/)[1]));
      assert.deepEqual(told, notes, `what diverges among ${kind} of ${model}`);
    }
    await page.close();
  }
});
