// Markup in a file name, a title or an output is shown by every page, and run by none.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { open, raak, scratch, visit } from "./browser.mjs";

const markup = `"'><script>window.poisoned=1<\\script><img src=x onerror=window.poisoned=1><svg onload=window.poisoned=1>&amp;`;
const quoted = markup.replaceAll("\\", "\\\\").replaceAll('"', '\\"');
const model = join(scratch, `m${markup}\u202e.toml`);

function write() {
  mkdirSync(scratch, { recursive: true });
  writeFileSync(model, `format = "raak/1"
title = "${quoted}</script>\\u202e\\u001b"
gravity = [0.0, -9.81]
[ground.points]
O = [0.0, 0.0]
[bodies.bob]
mass = 1.0
inertia = 0.1
com = [0.5, 0.0]
points = { O = [0.0, 0.0] }
[joints]
pivot = { type = "revolute", pins = ["ground.O", "bob.O"] }
[outputs]
'</script><img src=x onerror=window.poisoned=1>' = "bob.angle"
[runs.default]
title = "${quoted}"
until = 0.1
`);
}

async function isHarmless(page, complaints) {
  assert.equal(await page.evaluate(() => window.poisoned), undefined, "nothing of it runs");
  assert.equal(await page.locator("img, svg[onload]").count(), 0, "it makes no element");
  assert.deepEqual(complaints, []);
}

test("the report shows markup and controls of direction as text", async () => {
  write();
  const out = join(scratch, `report${markup.replaceAll("/", "")}`);
  execFileSync(raak, ["run", model, "--quiet", "--out", out]);
  const { page, complaints } = await open(encodeURI(join(out, "report.html")).replaceAll("#", "%23").replaceAll("?", "%3f"));
  await isHarmless(page, complaints);
  assert.match(await page.locator("h1").textContent(), /<img src=x onerror=window\.poisoned=1>/);
  const text = await page.evaluate(() => document.title + document.body.innerText);
  assert.doesNotMatch(text, /[\u202a-\u202e\u2066-\u2069\u001b]/, "nothing turns the order of what is read");
  await page.close();
});

test("the page of a bench and its diagrams show markup as text", async () => {
  write();
  const out = join(scratch, "bench");
  execFileSync(raak, ["bench", model, "--methods", "gauss,bdf", "--rtol", "1e-4:1e-6", "--out", out]);
  const files = readdirSync(out).filter((name) => /\.(html|svg)$/.test(name));
  assert.equal(files.length, 3);
  for (const file of files) {
    const { page, complaints } = await visit(join(out, file));
    await isHarmless(page, complaints);
    assert.match(await page.evaluate(() => document.documentElement.textContent), /<img src=x onerror=window\.poisoned=1>/);
    await page.close();
  }
});
