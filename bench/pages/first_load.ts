import { gzipSync } from "node:zlib";
import { chromium as playwright } from "@playwright/test";
import { chromium, unpackChromium } from "../../e2e/chromium.ts";
import { watchShifts } from "../../e2e/shifts.ts";

export type FirstLoad = {
  /** KB (1,000 bytes) of scripts and styles that a browser with an empty cache asks for, each compressed. */
  gzipKB: number;
  /** How much of the screen moved by itself meanwhile, and while the page asked twice for news: the sum of its shifts. */
  layoutShift: number;
};

/** What it takes to show a page for the first time. */
export async function firstLoad(url: string): Promise<FirstLoad> {
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
    const shifts = await watchShifts(page);
    await page.goto(url, { waitUntil: "networkidle" });
    const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
    if (bytes === 0) throw new Error(`${url} asked for no script`);
    for (let polls = 0; polls < 2; polls++) await page.waitForResponse((response) => response.url().includes("/api/"));
    const moved = (await shifts()).reduce((sum, { value }) => sum + value, 0);
    return { gzipKB: Math.round(bytes / 100) / 10, layoutShift: Math.round(moved * 10_000) / 10_000 };
  } finally {
    await browser.close();
  }
}
