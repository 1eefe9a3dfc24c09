import { gzipSync } from "node:zlib";
import { chromium as playwright } from "@playwright/test";
import { chromium, unpackChromium } from "../../e2e/chromium.ts";

/** KB (1,000 bytes) of scripts and styles that a browser with an empty cache asks for to show a page, each compressed. */
export async function firstLoadKB(url: string): Promise<number> {
  await unpackChromium();
  const browser = await playwright.launch(chromium);
  try {
    const page = await browser.newPage();
    const sizes: Promise<number>[] = [];
    page.on("response", (response) => {
      if (/\.(js|css)$/.test(new URL(response.url()).pathname)) {
        sizes.push(response.body().then((body) => gzipSync(body, { level: 6 }).length));
      }
    });
    await page.goto(url, { waitUntil: "networkidle" });
    const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
    if (bytes === 0) throw new Error(`${url} asked for no script`);
    return Math.round(bytes / 100) / 10;
  } finally {
    await browser.close();
  }
}
