import { z } from "zod";
import { PermanentError, RetryLater } from "~/domain/errors";
import { DAY_MS, dayOf, dayStart } from "~/domain/report/report";
import { defineKind } from "./define";

const BUSY_MS = 30_000;

/** Publishes the report of a finished day, exactly once; with `update`, makes it anew from today's numbers. */
export const publishReport = defineKind({
  name: "publish_report",
  title: "Daily report",
  description:
    "Publishes the report of a finished day, exactly once, also when two deployments try at the same moment.",
  input: z.strictObject({
    day: z
      .string()
      .refine((day) => dayStart(day) !== null, "is a day of the calendar, as in 2026-11-28")
      .meta({ format: "date" })
      .optional()
      .describe("the day, UTC; yesterday where left out"),
    update: z.boolean().optional().describe("make a report anew, also one that was withdrawn"),
    indexable: z.boolean().optional().describe("search engines may list it; cannot be taken back"),
    withdraw: z.boolean().optional().describe("take a published report back"),
  }),
  check: ({ withdraw, update, indexable }) =>
    withdraw && (update || indexable) ? [{ path: "withdraw", message: "goes with neither update nor indexable" }] : [],
  label: (input) => input.day ?? "yesterday",
  usualMs: 50,
  statements: 12,
  timeoutMs: 30_000,
  examples: [{ title: "Yesterday", payload: {} }],
  async run({ day = null, withdraw, ...options }, ctx) {
    // A slot that fires late still means the day before it.
    const asked = day ?? dayOf((ctx.slotAt ?? ctx.submittedAt) - DAY_MS);
    if ((dayStart(asked) as number) + DAY_MS > ctx.startedAt) throw new PermanentError(`${asked} is not over yet`);
    const published = await ctx.publish(asked, withdraw ? "withdraw" : options);
    if (published.kind === "lease_lost")
      throw new RetryLater(BUSY_MS, `lease_lost: somebody else is publishing ${asked}`);
    if (published.kind === "conflict") throw new RetryLater(BUSY_MS, `conflict: ${asked} changed meanwhile`);
    return published;
  },
});
