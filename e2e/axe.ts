import { createRequire } from "node:module";
import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { expect } from "./fixtures.ts";

const { source } = createRequire(createRequire(import.meta.url).resolve("@axe-core/playwright"))("axe-core") as {
  source: string;
};

type Results = Awaited<ReturnType<AxeBuilder["analyze"]>>;
type WithAxe = Window & { axe?: { run: (options: object) => Promise<Results> } };

/** Axe finds nothing to say about what is on screen, in light and in dark colours: the page is not loaded again for it. */
export async function clean(page: Page, what: string): Promise<void> {
  for (const colorScheme of ["dark", "light"] as const) {
    await page.emulateMedia({ colorScheme });
    const found = (await violations(page)).map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]);
    // Softly: whoever changed something for all pages sees all of them.
    expect.soft([what, colorScheme, found]).toEqual([what, colorScheme, []]);
  }
}

/** What is wrong by any of axe's rules. It is put into a document once, and asked there as often as it is needed. */
export async function violations(page: Page): Promise<Results["violations"]> {
  // What stands in frames is gathered by the library; it opens a page to do so, which takes longer than all else.
  if (page.frames().length > 1) return (await new AxeBuilder({ page }).analyze()).violations;
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(source);
  return page.evaluate(async () => {
    const { axe } = window as WithAxe;
    if (!axe) throw new Error("The page went away under axe.");
    // What fades from one colour into another is looked at when it has got there.
    for (const fade of document.getAnimations()) if (fade instanceof CSSTransition) fade.finish();
    return (await axe.run({ resultTypes: ["violations"] })).violations;
  });
}
