import { chromium } from "playwright-core";
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox", "--enable-unsafe-swiftshader"] });
for (const f of process.argv.slice(2)) {
  const page = await browser.newPage({ viewport: { width: 1360, height: 900 } });
  await page.goto(`file://${f}`);
  await page.waitForFunction(() => document.documentElement.dataset.ready === "yes");
  await page.waitForTimeout(1500);
  const r = await page.evaluate(async () => {
    const b = window.raak.stage.framesDrawn, t0 = performance.now();
    await new Promise((d) => setTimeout(d, 3000));
    return { fps: 1000 * (window.raak.stage.framesDrawn - b) / (performance.now() - t0), first: window.raak.stage.firstDrawn, solid: document.querySelector("canvas.scene").dataset.solid, size: [window.raak.stage.canvas.width, window.raak.stage.canvas.height] };
  });
  console.log(f.split("/").slice(-2)[0], JSON.stringify(r));
  await page.close();
}
await browser.close();
