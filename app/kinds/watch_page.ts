import { z } from "zod";
import { type ChannelType, channelsOf, type Message } from "~/domain/channels";
import { PermanentError } from "~/domain/errors";
import { timingOf } from "~/domain/schedules/schedule";
import { sha256 } from "~/domain/sha256";
import { capText } from "~/domain/text";
import { changeMessage } from "~/domain/watches/message";
import { numberIn } from "~/domain/watches/page_text";
import { checkKey, KEPT_CHECKS_MS, moveOn, VALUE_BYTES } from "~/domain/watches/watch";
import { type Compared, endCheck, keepLook, type Look } from "~/store/watches/checks";
import { findWatch, type Watch } from "~/store/watches/watches";
import { defineKind, type JobContext, type JobRequest } from "./define";
import { fetchPage } from "./watch/page";
import { readPage } from "./watch/read_page";
import { watchTelling } from "./watch/telling";

/** One check of a watched page, for one slot. However it ends, its settle moves the watch to its next slot. */
export const watchPage = defineKind({
  name: "watch_page",
  internal: true,
  title: "Page check",
  description:
    "Looks at the page of a watch, compares it with what it showed before, and tells of a change. Submitted by the watch itself.",
  input: z.strictObject({
    watch: z.uuidv7().describe("whose page"),
    slot: z.iso.datetime().describe("the planned time that this check is for"),
    name: z.string().max(100).optional().describe("of the watch, for lists"),
  }),
  label: ({ name, slot }) => `${name ?? "page"}, ${slot.slice(0, 16).replace("T", " ")} UTC`,
  entity: ({ watch }) => `watch:${watch}`,
  usualMs: 1_000,
  statements: 16,
  timeoutMs: 30_000,
  async run({ watch: id, slot: slotText }, ctx) {
    const slot = Date.parse(slotText);
    const watch = await findWatch(ctx.store, id);
    if (!watch) return { skipped: "the watch was removed" };
    const ending = { watch: id, slot, job: ctx.jobId, ...whereNext(watch, slot, ctx.now()) };
    ctx.commit(...endCheck(ending, "jobs.state <> 'done' AND {final}"));
    // Recorded before anything follows from it: an attempt that takes over goes on from the same look, and tells the same.
    const seen = await ctx.once("look", () => look(ctx, watch, slot), { keyed: true });
    const { told, error } = await tell(ctx, watch, checkKey(id, slot), seen);
    ctx.commit(...keepLook(ending, { ...seen.look, told, error }, seen.compared, KEPT_CHECKS_MS));
    const { outcome, status, number, value } = seen.look;
    return { outcome, status, number, value, next: ending.next === null ? null : new Date(ending.next).toISOString() };
  },
});

/** Times that cannot be read are wrong at every further try too; the sweep stops the watch and says why. */
function whereNext(watch: Watch, slot: number, now: number) {
  try {
    return moveOn(timingOf(watch), slot, now);
  } catch (error) {
    throw new PermanentError(`the times of the watch cannot be read: ${(error as Error).message}`);
  }
}

/** A whole request, addresses and all: as releases recorded it that knew no `watch_telling`. */
type EarlierTelling = JobRequest & { channel: ChannelType };
/** Shown with the job, so it names channels and knows no address. `message`: null where there is nothing to tell. */
type Seen = {
  look: Omit<Look, "told" | "error">;
  compared: Compared;
  telling: (ChannelType | EarlierTelling)[];
  message?: Message | null;
};

async function look(ctx: JobContext, watch: Watch, slot: number): Promise<Seen> {
  const { memory, compare } = watch;
  const { etag, lastModified } = memory;
  const { status, response, validators } = await fetchPage(ctx, watch.url, { etag, lastModified });
  const compared = { version: watch.version, seen: memory.seen };
  if (response === null) {
    const { hash, value, number } = memory as { hash: string; value: string; number: number | null };
    const same = { outcome: "unchanged" as const, status, hash, value, number, previous: null, ...validators };
    return { look: same, compared, telling: [], message: null };
  }
  const text = await readPage(response, watch);
  const number = numberIn(text);
  if (compare === "number" && number === null) {
    throw new PermanentError(`no number in "${capText(text, 100)}"`);
  }
  const hash = (await sha256(compare === "number" ? String(number) : text)).toHex();
  const value = capText(text, VALUE_BYTES);
  const outcome = memory.hash === null ? "first" : memory.hash === hash ? "unchanged" : "changed";
  const previous = memory.value;
  const message =
    outcome === "changed"
      ? changeMessage(watch, slot, { value: previous as string, number: memory.number }, { value, number })
      : null;
  return {
    look: { outcome, status, hash, value, number, previous, ...validators },
    compared,
    telling: message ? channelsOf(watch.channels).map(({ type }) => type) : [],
    message,
  };
}

/** A channel that cannot be used any more keeps neither the others nor the look itself from being kept. */
async function tell(ctx: JobContext, watch: Watch, key: string, { telling, message }: Seen) {
  const told: string[] = [];
  const errors: string[] = [];
  for (const { channel, ...job } of telling.flatMap((one) => jobOf(one, watch, key, message ?? null))) {
    try {
      told.push(...(await ctx.submit([job])));
    } catch (error) {
      if (!(error instanceof PermanentError)) throw error;
      errors.push(`${channel}: ${error.message}`);
      ctx.log(errors.at(-1) as string);
    }
  }
  return { told, error: errors.length > 0 ? capText(errors.join("\n"), 1_000) : null };
}

/** Where nobody has taken the channel away since. */
function jobOf(one: Seen["telling"][number], watch: Watch, key: string, message: Message | null): EarlierTelling[] {
  if (typeof one !== "string") return [one];
  const to = watch.channels[one];
  if (to === undefined) return [];
  const payload = { channel: { type: one, to }, message };
  return [{ kind: watchTelling.name, payload, idempotencyKey: `${key}/${one}`, channel: one }];
}
