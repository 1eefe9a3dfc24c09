import { expect, it } from "vitest";
import { simulate } from "./simulate";

/** Seeds that nobody has looked at one by one. */
const FIRST = 1_000;
const FRESH = 30;
const TOGETHER = 5;

it.each(Array.from({ length: FRESH / TOGETHER }, (_, i) => FIRST + i * TOGETHER))(
  "the seeds from %i on hold every law",
  async (from) => {
    for (let seed = from; seed < from + TOGETHER; seed++) {
      const { violations } = await simulate(seed);
      expect(violations, `npm run simulate -- --from ${seed} --seeds 1 --trace`).toEqual([]);
    }
  },
);

it("a seed replays exactly: the same events in the same order at the same times", async () => {
  const first = await simulate(0, "sweep: one at a time");
  expect(first.violations).not.toEqual([]);
  expect((await simulate(0, "sweep: one at a time")).trace).toEqual(first.trace);
});
