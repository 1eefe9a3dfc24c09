import { type BrowserContext, test as base, expect } from "@playwright/test";

type Fixtures = {
  /** What pages may say on the console in this test. Anything else fails it. */
  allow: (what: RegExp) => void;
};

/** As Playwright's own, and nothing that any page of the test says on its console, or throws, goes unseen. */
export const test = base.extend<Fixtures>({
  allow: [
    async ({ browser }, use) => {
      const said: string[] = [];
      const allowed: RegExp[] = [];
      const watch = (context: BrowserContext) => {
        context.on("console", (message) => said.push(message.text()));
        context.on("weberror", (error) => said.push(String(error.error().stack)));
      };
      browser.on("context", watch);
      await use((what) => allowed.push(what));
      browser.off("context", watch);
      expect(said.filter((text) => !allowed.some((what) => what.test(text)))).toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };
