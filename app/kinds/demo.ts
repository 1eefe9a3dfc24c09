import { z } from "zod";
import { PermanentError } from "~/domain/errors";
import { defineKind } from "./define";

/** Shows every state a job can be in, with no outside service. */
export const demo = defineKind({
  name: "demo",
  title: "Demo",
  description: "Works, fails, hangs or dies as told: to see every state without any outside service.",
  input: z.strictObject({
    durationMs: z.int().min(0).max(25_000).optional().describe("how long it works, in ms"),
    steps: z.int().min(1).max(100).optional().describe("in how many logged steps"),
    failTimes: z.int().min(0).max(1_000).optional().describe("how many attempts fail before one succeeds"),
    permanent: z.boolean().optional().describe("fail in a way that no retry can help"),
    hang: z.boolean().optional().describe("never return: ends at the kind's timeout of 30 s"),
  }),
  label: (input) =>
    input.permanent ? "fails for good" : input.hang ? "hangs" : input.failTimes ? `fails ${input.failTimes}×` : "works",
  usualMs: 10,
  timeoutMs: 30_000,
  retry: { baseMs: 1_000, capMs: 30_000, maxAttempts: 3 },
  examples: [
    { title: "Works", payload: {} },
    { title: "Fails twice, then works", payload: { failTimes: 2 } },
    { title: "Dies; works after a requeue", payload: { failTimes: 3 } },
    { title: "Dies at once", payload: { permanent: true } },
    { title: "Works for 10 s in 5 steps", payload: { durationMs: 10_000, steps: 5 } },
    { title: "Hangs", payload: { hang: true } },
  ],
  async run(input, ctx) {
    if (input.hang) await new Promise(() => {});
    const steps = input.steps ?? 1;
    for (let step = 1; step <= steps; step++) {
      if (input.durationMs) await ctx.sleep(input.durationMs / steps);
      if (input.steps) ctx.log(`step ${step} of ${steps}`);
    }
    if (input.permanent) throw new PermanentError("this demo was told to fail for good");
    if (ctx.attempt <= (input.failTimes ?? 0)) {
      throw new Error(`this demo was told to fail ${input.failTimes} times`);
    }
    return { attempt: ctx.attempt };
  },
});
