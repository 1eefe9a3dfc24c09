import { expect, it } from "vitest";
import { BREAKS } from "./breaks";
import { simulate } from "./simulate";

/** Seeds that nobody has looked at one by one. */
const FIRST = 1_000;
const FRESH = 30;
const TOGETHER = 5;

for (const [name, { cut, seed }] of Object.entries(BREAKS)) {
  it(`seed ${seed} notices that the guard "${name}" is gone`, async () => {
    const { violations, found } = await simulate(seed, name);
    expect(violations).not.toEqual([]);
    expect(found.toSorted()).toEqual(cut.map(([clause]) => clause).toSorted());
  });
}

it.each([...new Set(Object.values(BREAKS).map(({ seed }) => seed))])(
  "seed %i finds nothing where all guards stand",
  async (seed) => {
    expect((await simulate(seed)).violations).toEqual([]);
  },
);

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
  const name = "settle: cancel request";
  const seed = BREAKS[name]?.seed ?? 0;
  const first = await simulate(seed, name);
  expect(first.violations).not.toEqual([]);
  expect((await simulate(seed, name)).trace).toEqual(first.trace);
});
