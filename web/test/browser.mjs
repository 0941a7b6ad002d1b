// What the tests of the report share: reports of runs, opened in a real browser. RAAK names the program; screenshots go to
// ARTEFACTS (default: the folder of the program).
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { after, before } from "node:test";
import { chromium } from "playwright-core";

export const raak = process.env.RAAK;
export const artefacts = process.env.ARTEFACTS ?? join(dirname(raak), "screenshots");
export const scratch = mkdtempSync(join(tmpdir(), "raak-report-"));
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

export function reportOf(model, ...options) {
  const out = join(scratch, [model, ...options].join("").replaceAll(/[^a-z0-9]/gi, "-"));
  execFileSync(raak, ["run", model, "--quiet", "--out", out, ...options]);
  return join(out, "report.html");
}

// The page with every complaint of the browser, and every request it made.
export async function open(file, options = {}, search = "") {
  const opened = await visit(file, options, search);
  await opened.page.waitForFunction(() => document.documentElement.dataset.ready === "yes");
  return opened;
}

// The same of any file.
export async function visit(file, options = {}, search = "") {
  const page = await browser.newPage({ viewport: { width: 1360, height: 900 }, ...options });
  page.setDefaultTimeout(patience);
  const complaints = [], requests = [];
  // A machine without a graphics card draws in software, and its driver says how slow that is.
  page.on("console", (message) => { if (message.type() !== "info" && !/GL Driver Message/.test(message.text())) complaints.push(message.text()); });
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("request", (request) => requests.push(request.url()));
  await page.goto(`file://${file}${search}`);
  return { page, complaints, requests };
}

// A short word for what a canvas shows.
export const shown = async (canvas) => createHash("sha1").update(await canvas.evaluate((c) => c.toDataURL())).digest("hex");
export const picture = (page) => shown(page.locator("canvas.scene"));
// Looks until what is seen is as it should be: when the page gets round to drawing is up to the machine.
export async function eventually(look, isRight, message) {
  for (const deadline = Date.now() + patience; ; await new Promise((done) => setTimeout(done, 50))) {
    const seen = await look();
    if (isRight(seen)) return seen;
    assert.ok(Date.now() < deadline, message);
  }
}
export const pause = (page) => page.evaluate(() => window.raak.player.pause());
export const example = (name) => join(dirname(fileURLToPath(import.meta.url)), `../../examples/${name}.toml`);
