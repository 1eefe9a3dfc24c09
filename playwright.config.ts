import { defineConfig } from "@playwright/test";
import { chromium } from "./e2e/chromium.ts";

export default defineConfig({
  testDir: "e2e",
  testMatch: "*.spec.ts",
  outputDir: "test-results",
  globalSetup: "./e2e/setup.ts",
  // Half of the longest one is waiting, for leases that run out by the clock: it comes first, the others go on beside it.
  projects: [
    { name: "kill", testMatch: "kill.spec.ts" },
    { name: "others", testIgnore: "kill.spec.ts" },
  ],
  workers: 2,
  // A test that passes only at the second try has failed.
  retries: 0,
  forbidOnly: true,
  timeout: 120_000,
  expect: { timeout: 15_000 },
  reporter: [["list"]],
  use: {
    baseURL: process.env.REDRIVE_URL,
    launchOptions: chromium,
    // A trace of every test takes a fifth of all the time; `--trace on` takes one of those that are run again.
    trace: "off",
    screenshot: "only-on-failure",
  },
});
