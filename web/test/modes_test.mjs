// The page of raak modes: the mechanism swings in the mode that is chosen, in the plane and in space.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { artefacts, eventually, open, picture, raak, scratch } from "./browser.mjs";

const examples = join(dirname(fileURLToPath(import.meta.url)), "../../examples");
function modesOf(name, model, ...options) {
  const out = join(scratch, name);
  execFileSync(raak, ["modes", model, "--out", out, ...options]);
  return join(out, "modes.html");
}

for (const [name, model] of [["rod", "slider-crank"], ["governor", join(examples, "flyball-governor.toml")]]) {
  test(`the modes of ${name} are drawn swinging, without errors or network`, async () => {
    const { page, complaints, requests } = await open(modesOf(name, model));
    const first = await picture(page);
    await eventually(() => picture(page), (now) => now !== first, "the mechanism moves");
    assert.deepEqual(complaints, []);
    assert.equal(requests.filter((url) => !/^(file|data):/.test(url)).length, 0);
    await page.close();
  });
}

test("a click or an arrow shows another mode, with its shape", async () => {
  const { page } = await open(modesOf("chosen", "slider-crank"), { reducedMotion: "reduce" });
  const rows = page.locator("table.modes tbody tr");
  assert.equal(await rows.count(), 4);
  assert.match(await rows.nth(0).textContent(), /1276\.6864/);
  assert.equal(await rows.nth(0).getAttribute("aria-selected"), "true");
  const first = await picture(page);
  await rows.nth(1).click();
  assert.notEqual(await picture(page), first, "mode 2 looks different");
  assert.match(await page.locator("#tables").textContent(), /Shape of mode 2.*q2.*1/s);
  assert.match(await page.locator(".time").textContent(), /mode 2: 5106\.75 rad\/s/);
  await page.locator("h1").click();
  await page.keyboard.press("ArrowUp");
  assert.equal(await picture(page), first, "back to mode 1");
  await page.evaluate(() => window.raak.swinging.seek(0.75));
  assert.notEqual(await picture(page), first, "on the other side");
  assert.match(await page.locator("#notice").textContent(), /m3=0/);
  await page.screenshot({ path: join(artefacts, "modes.png") });
  await page.close();
});

test("a structure has no modes, and the page says so", async () => {
  const { page, complaints } = await open(modesOf("structure", join(examples, "four-bar.toml")));
  assert.match(await page.locator("#stage").textContent(), /Nothing can move/);
  assert.deepEqual(complaints, []);
  await page.close();
});
