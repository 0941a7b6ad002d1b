// Opens reports in a real browser: they load without errors, the mechanism moves, scrubbing moves drawing and plots.
// RAAK names the program; screenshots go to ARTEFACTS (default: the folder of the program).
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { after, before, test } from "node:test";
import { chromium } from "playwright-core";

const raak = process.env.RAAK;
const artefacts = process.env.ARTEFACTS ?? join(dirname(raak), "screenshots");
const scratch = mkdtempSync(join(tmpdir(), "raak-report-"));
mkdirSync(artefacts, { recursive: true });
let browser;
const patience = 600_000; // ms, which only a page that hangs takes: the machine may be slow and busy

before(async () => {
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox", "--enable-unsafe-swiftshader"], timeout: patience });
});
after(async () => {
  await browser?.close();
  rmSync(scratch, { recursive: true, force: true });
});

function reportOf(model, ...options) {
  const out = join(scratch, [model, ...options].join("").replaceAll(/[^a-z0-9]/gi, "-"));
  execFileSync(raak, ["run", model, "--quiet", "--out", out, ...options]);
  return join(out, "report.html");
}

// The page with every complaint of the browser, and every request it made.
async function open(file, options = {}, search = "") {
  const page = await browser.newPage({ viewport: { width: 1360, height: 900 }, ...options });
  page.setDefaultTimeout(patience);
  const complaints = [], requests = [];
  // A machine without a graphics card draws in software, and its driver says how slow that is.
  page.on("console", (message) => { if (message.type() !== "info" && !/GL Driver Message/.test(message.text())) complaints.push(message.text()); });
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("request", (request) => requests.push(request.url()));
  await page.goto(`file://${file}${search}`);
  await page.waitForFunction(() => document.documentElement.dataset.ready === "yes");
  return { page, complaints, requests };
}

// A short word for what a canvas shows.
const shown = async (canvas) => createHash("sha1").update(await canvas.evaluate((c) => c.toDataURL())).digest("hex");
const picture = (page) => shown(page.locator("canvas.scene"));
// Looks until what is seen is as it should be: when the page gets round to drawing is up to the machine.
async function eventually(look, isRight, message) {
  for (const deadline = Date.now() + patience; ; await new Promise((done) => setTimeout(done, 50))) {
    const seen = await look();
    if (isRight(seen)) return seen;
    assert.ok(Date.now() < deadline, message);
  }
}
const pause = (page) => page.evaluate(() => window.raak.player.pause());

for (const model of ["pendulum", "andrews", "andrews-iftomm", "car-axis", "slider-crank"]) {
  test(`the report of ${model} loads without errors or network, and the mechanism moves`, async () => {
    const file = reportOf(model);
    assert.ok(statSync(file).size < 1.5e6, "a report stays below 1.5 MB");
    const { page, complaints, requests } = await open(file);
    const first = await picture(page);
    await eventually(() => picture(page), (now) => now !== first, "the mechanism moves");
    await pause(page);
    await page.screenshot({ path: join(artefacts, `${model}.png`) });
    assert.deepEqual(complaints, []);
    assert.equal(requests.filter((url) => !/^(file|data):/.test(url)).length, 0);
    await page.close();
  });
}

test("scrubbing changes the drawing and the plots", async () => {
  const { page } = await open(reportOf("andrews-iftomm"), { reducedMotion: "reduce" });
  const look = async () => ({
    drawing: await picture(page),
    head: await page.locator(".playhead").first().evaluate((e) => e.style.transform),
    value: await page.locator('[data-plot="Coordinates"] .value').first().textContent(),
  });
  const start = await look();
  await page.locator(".controls input").fill("250");
  const middle = await look();
  for (const part of Object.keys(start)) assert.notEqual(start[part], middle[part], part);
  assert.match(await page.locator(".time").textContent(), /^t = 0\.02500 s$/);
  await page.keyboard.press("Escape");
  await page.locator("h1").click();
  await page.keyboard.press("ArrowRight");
  assert.match(await page.locator(".time").textContent(), /0\.02510 s$/, "the arrow steps a frame");
  await page.keyboard.press("Home");
  assert.equal(await picture(page), start.drawing, "Home shows the start again");
  await page.close();
});

test("series can be switched, zoom is shared, and a click goes to its time", async () => {
  const { page, complaints } = await open(reportOf("andrews"), { reducedMotion: "reduce" });
  const chart = page.locator('[data-plot="Velocities"] .u-over');
  await chart.scrollIntoViewIfNeeded();
  let box = await chart.boundingBox();
  await page.mouse.click(box.x + box.width / 2, box.y + 40);
  const time = await page.evaluate(() => window.raak.player.time);
  assert.ok(Math.abs(time - 0.015) < 3e-4, `clicked on the middle, went to ${time}`);
  const button = page.locator('[data-plot="Coordinates"] .legend button').first();
  const other = page.locator('[data-plot="Coordinates"] canvas');
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

test("a run that failed shows how far it came and why it stopped", async () => {
  const out = join(scratch, "failed");
  assert.throws(() => execFileSync(raak, ["run", "car-axis", "--set", "h=1.2", "--quiet", "--out", out], { stdio: "pipe" }));
  const { page, complaints } = await open(join(out, "report.html"), { reducedMotion: "reduce" });
  assert.match(await page.locator("#notice").textContent(), /partial.*no acceptable step/);
  const page_text = await page.evaluate(() => document.body.innerText);
  assert.doesNotMatch(page_text, /t = [0-9.]{14,}/, "a time that nobody chose has no seventeen digits");
  assert.ok(await page.evaluate(() => Number(document.querySelector(".controls input").max)) > 20, "the steps are its frames");
  await page.screenshot({ path: join(artefacts, "failed.png") });
  assert.deepEqual(complaints, []);
  await page.close();
});

test("the first frame comes soon, and frames follow each other", async () => {
  const { page } = await open(reportOf("andrews-iftomm"));
  const first = await page.evaluate(() => window.raak.stage.firstDrawn);
  // The best of a few looks: others may want the machine for a moment.
  let frames = 0;
  for (let look = 0; look < 6 && frames <= 30; ++look) {
    await page.waitForTimeout(500);
    frames = Math.max(frames, await page.evaluate(async () => {
      const before = window.raak.stage.framesDrawn, began = performance.now();
      await new Promise((done) => setTimeout(done, 1500));
      return (1000 * (window.raak.stage.framesDrawn - before)) / (performance.now() - began);
    }));
  }
  console.log(`first frame after ${first.toFixed(0)} ms, ${frames.toFixed(0)} frames a second`);
  // A busy test machine gets room; the figures to reach are 1000 ms and 30 a second.
  assert.ok(first < 20_000 && frames > 2, `first frame after ${first} ms, ${frames} frames a second`);
  await page.close();
});

const example = (name) => join(dirname(fileURLToPath(import.meta.url)), `../../examples/${name}.toml`);

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
    assert.ok(best < 200, `a frame takes ${best} ms`); // 6 to 15 ms where nobody else is at work
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
  const examples = join(dirname(fileURLToPath(import.meta.url)), "../../examples");
  const { page } = await open(reportOf(join(examples, "bicycle.toml")), { reducedMotion: "reduce" });
  const follow = page.getByRole("button", { name: "Follow" });
  assert.equal(await follow.getAttribute("aria-pressed"), "true");
  const near = await picture(page);
  await follow.click();
  assert.notEqual(await picture(page), near);
  await page.close();
  const many = await open(reportOf(join(examples, "n-four-bar-40.toml")), { reducedMotion: "reduce" });
  assert.equal(await many.page.getByRole("button", { name: "Follow" }).count(), 0, "it stays where it is");
  await many.page.screenshot({ path: join(artefacts, "n-four-bar-40.png") });
  await many.page.close();
});

test("what hangs on the ground is not followed, however small its body is; what rolls or slides away is", async () => {
  const examples = join(dirname(fileURLToPath(import.meta.url)), "../../examples");
  for (const [model, followed] of [["pendulum", 0], ["chaplygin-sleigh.toml", 1], ["rolling-disc.toml", 1]]) {
    const { page } = await open(reportOf(followed ? join(examples, model) : model), { reducedMotion: "reduce" });
    assert.equal(await page.getByRole("button", { name: "Follow" }).count(), followed, model);
    await page.screenshot({ path: join(artefacts, `followed-${model}.png`) });
    await page.close();
  }
});

test("the rate of a run of ten seconds is real time", async () => {
  for (const [until, rate] of [["10", "real time"], ["5", "slowed 2×"], ["20", "sped up 2×"]]) {
    const { page } = await open(reportOf("pendulum", "--until", until), { reducedMotion: "reduce" });
    assert.equal(await page.locator(".rate").textContent(), rate);
    await page.close();
  }
});

test("joint forces that are not unique are explained in place of an empty plot", async () => {
  const examples = join(dirname(fileURLToPath(import.meta.url)), "../../examples");
  const { page, complaints } = await open(reportOf(join(examples, "bricard.toml")), { reducedMotion: "reduce" });
  const panel = page.locator('[data-plot="Joint forces"]');
  assert.match(await panel.textContent(), /No unique values in J1, .*J6: these joints constrain the same motion more than once/);
  assert.equal(await panel.locator("canvas").count(), 0);
  await panel.scrollIntoViewIfNeeded();
  await page.screenshot({ path: join(artefacts, "not-unique.png") });
  assert.deepEqual(complaints, []);
  await page.close();
  // A knocker on the door: its own hinge is alone, so its forces are unique and drawn.
  const model = join(scratch, "knocker.toml");
  const door = readFileSync(join(examples, "door.toml"), "utf8").split("[references")[0];
  writeFileSync(model, door.replace("[joints]", `[bodies.knocker]
mass = 1.0
inertia = [0.1, 0.1, 0.1]
com = [0.1, 0.0, 0.0]
points = { pin = [0.0, 0.0, 0.0] }

[joints]
hinge = { type = "revolute", pins = ["door.edge", "knocker.pin"], axes = ["door.z", "knocker.z"] }`));
  const partly = await open(reportOf(model), { reducedMotion: "reduce" });
  const forces = partly.page.locator('[data-plot="Joint forces"]');
  assert.match(await forces.textContent(), /No unique values in .*low/);
  assert.ok(await forces.locator("canvas").count() > 0, "the others are drawn");
  await partly.page.close();
});

test("plots can be enlarged by keyboard and say what they show", async () => {
  const { page } = await open(reportOf("pendulum"), { reducedMotion: "reduce" });
  const chart = page.locator('[data-plot="Coordinates"] .chart');
  assert.match(await chart.getAttribute("aria-label"), /^Coordinates over time in m, rad: x from .* to .*phi/);
  const before = await shown(chart.locator("canvas"));
  await chart.focus();
  await page.keyboard.press("+");
  const drawn = () => shown(chart.locator("canvas"));
  await eventually(drawn, (now) => now !== before, "+ enlarges");
  await page.keyboard.press("0");
  await eventually(drawn, (now) => now === before, "0 shows everything");
  await page.close();
});

test("it works in the dark, on a phone and on paper", async () => {
  const { page, complaints } = await open(reportOf("slider-crank"), { colorScheme: "dark", viewport: { width: 390, height: 800 }, reducedMotion: "reduce" });
  const dark = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await page.locator("#top button").click();
  assert.notEqual(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), dark);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "nothing sticks out sideways");
  const cut = await page.evaluate(() => [...document.querySelectorAll("table.ledger")].filter((e) => e.scrollWidth > e.parentElement.clientWidth).length);
  assert.equal(cut, 0, "the ledger is seen whole");
  await page.screenshot({ path: join(artefacts, "phone.png"), fullPage: true });
  const paper = await page.pdf({ path: join(artefacts, "paper.pdf"), format: "A4" });
  assert.ok(paper.length > 20000);
  const before = await picture(page);
  await page.locator("#deformation").fill("0");
  assert.notEqual(await picture(page), before, "the deformation slider bends the rod");
  assert.deepEqual(complaints, []);
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
  assert.deepEqual(values, ["0", "0"], "a pendulum in its angle violates nothing");
  await page.locator('[data-plot="Constraint violation"]').screenshot({ path: join(artefacts, "zero.png") });
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
  await page.locator('[data-plot="Energies"]').screenshot({ path: join(artefacts, "blow-up.png") });
  await page.close();
});

test("thirty series of a spatial mechanism can be told apart and bear their own names", async () => {
  const { page } = await open(reportOf(example("bricard")), { reducedMotion: "reduce" });
  const plot = page.locator('[data-plot="Coordinates"]');
  const looks = await plot.locator(".legend i").evaluateAll((all) => all.map((e) => e.style.background));
  assert.ok(looks.length >= 35);
  assert.equal(new Set(looks).size, looks.length, "no two look the same");
  const heights = await plot.evaluate((e) => [e.querySelector(".legend").clientHeight, e.querySelector(".chart").clientHeight]);
  assert.ok(heights[0] < heights[1], `a legend of ${heights[0]} px below a plot of ${heights[1]} px`);
  const names = await page.locator('[data-plot="Accelerations"] .legend .name').allTextContents();
  assert.deepEqual(names.filter((n) => /velocity|omega/.test(n)), []);
  assert.ok(names.includes("rod1.acceleration.x") && names.includes("rod1.alpha.x"));
  await page.close();
});

test("every control has a name and can be reached by keyboard", async () => {
  const { page } = await open(reportOf("slider-crank"), { reducedMotion: "reduce" });
  const nameless = await page.evaluate(() => [...document.querySelectorAll("button, input, select, canvas.scene")]
    .filter((e) => !(e.getAttribute("aria-label") || e.textContent.trim() || e.closest("label")?.textContent.trim()) || e.tabIndex < 0)
    .map((e) => e.outerHTML));
  assert.deepEqual(nameless, []);
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
  assert.match(await page.locator('[data-plot="Work put in"]').textContent(), /lift_motor/);
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
