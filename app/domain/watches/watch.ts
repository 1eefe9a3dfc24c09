import { z } from "zod";
import { CHANNELS, type Channels, channelProblems } from "../channels";
import { type OutboundRules, outboundProblem } from "../outbound";
import { NAMED_TIMES, storedTiming, timeProblems } from "../schedules/call";
import type { StoredTiming } from "../schedules/schedule";
import { nextSlot, type Timing } from "../schedules/slots";
import type { Tone } from "../states";
import type { Problem } from "../submission";

/** What counts as a change. */
export const COMPARISONS = {
  text: { label: "Text", means: "any other text is a change; white space and invisible characters do not count" },
  number: { label: "Number", means: "only another number is a change; a text without one is a failed check" },
} as const;
export type Comparison = keyof typeof COMPARISONS;

/** How a check ended. */
export const CHECK_OUTCOMES = {
  first: { label: "First look", tone: "info", means: "there was nothing to compare with" },
  unchanged: { label: "Unchanged", tone: "neutral", means: "the page shows what it showed before" },
  changed: { label: "Changed", tone: "warning", means: "the page shows something else" },
  failed: { label: "Failed", tone: "danger", means: "its job is dead: the page was not read" },
  cancelled: { label: "Cancelled", tone: "neutral", means: "its job was cancelled" },
} as const satisfies Record<string, { label: string; tone: Tone; means: string }>;
export type CheckOutcome = keyof typeof CHECK_OUTCOMES;
export const CHECK_OUTCOME_NAMES = Object.keys(CHECK_OUTCOMES) as [CheckOutcome, ...CheckOutcome[]];

export const WATCHES_MAX = 1_000;
export const SELECTOR_CHARS = 500;
/** Of what a page shows this much is kept and shown; the rest is compared all the same. */
export const VALUE_BYTES = 8_192;
/** History older than this is dropped. */
export const KEPT_CHECKS_MS = 400 * 86_400_000;
/** Missed slots are counted up to here. */
export const MISSED_MAX = 1_000;

/** A watch as it is sent, to be created or changed. */
export const WATCH = z.strictObject({
  ...NAMED_TIMES.shape,
  url: z.string().max(2_048).describe("the page"),
  selector: z
    .string()
    .trim()
    .min(1)
    .max(SELECTOR_CHARS)
    .optional()
    .describe("CSS: what of the page is watched; the whole page where left out"),
  attribute: z
    .string()
    .regex(/^[A-Za-z_:][\w:.-]{0,99}$/, "is no name of an attribute")
    .optional()
    .describe("of what the selector finds, instead of its text: content, href …"),
  compare: z.enum(Object.keys(COMPARISONS) as [Comparison, ...Comparison[]]).default("text"),
  channels: CHANNELS.default({}),
});
export type WatchCall = z.output<typeof WATCH>;

export function watchProblems(call: WatchCall, rules: OutboundRules, now: number): Problem[] {
  const problems = [...timeProblems(call, now), ...channelProblems(call.channels, rules)];
  const url = outboundProblem(call.url, rules);
  if (url) problems.push({ path: "url", message: url });
  if (call.attribute !== undefined && call.selector === undefined) {
    problems.push({ path: "attribute", message: "goes with a selector only" });
  }
  return problems;
}

/** What a page is asked for. Where one of these changes, what was seen before says nothing any more. */
export type Target = { url: string; selector: string | null; attribute: string | null; compare: Comparison };
/** All that a person decides about a watch. */
export type WatchDefinition = StoredTiming & Target & { name: string; channels: Channels };

export function watchOf(call: WatchCall, now: number): WatchDefinition {
  const { name, url, selector = null, attribute = null, compare, channels } = call;
  return { name, url, selector, attribute, compare, channels, ...storedTiming(call, now) };
}

export const sameTarget = (a: Target, b: Target): boolean =>
  a.url === b.url && a.selector === b.selector && a.attribute === b.attribute && a.compare === b.compare;

/** A slot's job, whoever asks for it. In SQL: `KEY_OF_DUE` of store/watches.ts. */
export const checkKey = (watch: string, slot: number): string => `watch/${watch}/${slot}`;

/**
 * Where a check of `slot` that ends now leaves its watch: the next slot is the first one to come after both, so the
 * cadence keeps its anchor and what was missed is skipped; `missed` says how many, up to `MISSED_MAX`.
 */
export function moveOn(timing: Timing, slot: number, now: number): { next: number | null; missed: number } {
  const next = nextSlot(timing, Math.max(slot, now));
  let missed = 0;
  if ("everyMinutes" in timing) {
    const last = next === null ? slot : next - timing.everyMinutes * 60_000;
    missed = Math.max(0, Math.ceil((last - slot) / (timing.everyMinutes * 60_000)));
  } else {
    let at = nextSlot(timing, slot);
    while (at !== null && at <= now && missed < MISSED_MAX) {
      missed++;
      at = nextSlot(timing, at);
    }
  }
  return { next, missed: Math.min(missed, MISSED_MAX) };
}
