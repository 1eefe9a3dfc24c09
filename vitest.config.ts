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
    setupFiles: ["app/testing/setup.ts"],
    // A bound for what hangs, not a measure of speed: the machine may be busy.
    testTimeout: 60_000,
    // Of two cores the runner would take one for itself, which it needs only between files.
    maxWorkers: 2,
    projects: [
      // What imports nothing leaves nothing behind: one worker for all of these files, which else begin one each.
      { extends: true, test: { name: "domain", include: ["app/domain/**/*.test.ts"], isolate: false } },
      {
        extends: true,
        test: {
          name: "workerd",
          include: ["app/**/*.test.ts", "workers/**/*.test.ts", "bench/**/*.test.ts"],
          exclude: ["app/domain/**"],
        },
      },
    ],
  },
});
