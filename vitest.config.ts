import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: { tsconfigPaths: true },
  plugins: [
    cloudflareTest(async () => ({
      main: "./app/testing/worker.ts",
      miniflare: {
        compatibilityDate: "2026-10-01",
        d1Databases: ["DB"],
        r2Buckets: ["FILES"],
        bindings: { MIGRATIONS: await readD1Migrations("migrations") },
      },
    })),
  ],
  test: {
    include: ["app/**/*.test.ts", "workers/**/*.test.ts", "bench/**/*.test.ts"],
    setupFiles: ["app/testing/setup.ts"],
    // A bound for what hangs, not a measure of speed: the machine may be busy.
    testTimeout: 60_000,
  },
});
