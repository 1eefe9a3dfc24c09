import { channelsOf, shownChannel } from "~/domain/channels";
import { sameTiming } from "~/domain/schedules/call";
import { timingOf } from "~/domain/schedules/schedule";
import { nextSlot } from "~/domain/schedules/slots";
import type { Rejection } from "~/domain/submission";
import { type WatchCall, type WatchDefinition, watchOf, watchProblems } from "~/domain/watches/watch";
import { selectorProblem } from "~/kinds/watch/read_page";
import type { By } from "~/store/reopen";
import { readClock } from "~/store/schedules/schedules";
import { createWatch, removeWatch, updateWatch } from "~/store/watches/edits";
import { findWatch } from "~/store/watches/watches";
import type { Engine } from "../engine";
import { insist } from "../trouble/insist";

export type SavedWatch =
  | { kind: "saved"; id: string; version: number }
  /** The same call was taken before: the version there is now. */
  | { kind: "exists"; id: string; version: number }
  | { kind: "rejected"; rejection: Rejection }
  | { kind: "full"; stored: number }
  /** Somebody changed it meanwhile. */
  | { kind: "changed"; version: number }
  | { kind: "not-found" };

/** `origin`: where links in its messages lead. `id`: of the form that asks, so that one form is one watch. */
export async function createWatchFrom(
  engine: Engine,
  call: WatchCall,
  { origin, id = engine.newId() }: { origin: string; id?: string },
  by: By,
): Promise<SavedWatch> {
  const now = await readClock(engine.store);
  const refused = check(engine, call, now);
  if (refused) return { kind: "rejected", rejection: refused };
  const definition = watchOf(call, now);
  const dueAt = nextSlot(timingOf(definition), now) as number;
  const token = engine.newToken();
  const entry = {
    ...by,
    id: engine.newId(),
    action: "watch.create" as const,
    after: { watch: id, ...told(definition) },
  };
  const done = await insist(engine, "create watch", () =>
    createWatch(engine.store, token, { id, origin, dueAt }, definition, entry),
  );
  if (done.mine) return { kind: "saved", id, version: 1 };
  return done.version === null ? { kind: "full", stored: done.stored } : { kind: "exists", id, version: done.version };
}

/** Changes all of a watch. `version`: only if it is still the one that was looked at. */
export async function updateWatchFrom(
  engine: Engine,
  { id, version }: { id: string; version?: number },
  call: WatchCall,
  origin: string,
  by: By,
): Promise<SavedWatch> {
  const was = await findWatch(engine.store, id);
  if (!was) return { kind: "not-found" };
  if (version !== undefined && version !== was.version) return { kind: "changed", version: was.version };
  const now = await readClock(engine.store);
  const refused = check(engine, call, now);
  if (refused) return { kind: "rejected", rejection: refused };
  // Without an anchor of its own it keeps the one it has: a change of something else moves no slot.
  const definition = watchOf(call, was.anchorAt ?? now);
  const dueAt = sameTiming(was, definition) && was.dueAt !== null ? null : nextSlot(timingOf(definition), now);
  const token = engine.newToken();
  const change = { before: { watch: id, ...told(was) }, after: { watch: id, ...told(definition) } };
  const entry = { ...by, id: engine.newId(), action: "watch.update" as const, ...change };
  await engine.seam("watch update: before write");
  const done = await insist(engine, "update watch", () =>
    updateWatch(engine.store, token, was, definition, { origin, dueAt }, entry),
  );
  if (done.mine) return { kind: "saved", id, version: was.version + 1 };
  return done.version === null ? { kind: "not-found" } : { kind: "changed", version: done.version };
}

export async function removeWatchAndHistory(engine: Engine, id: string, by: By): Promise<"removed" | "not-found"> {
  const was = await findWatch(engine.store, id);
  if (!was) return "not-found";
  const token = engine.newToken();
  const entry = { ...by, id: engine.newId(), action: "watch.delete" as const, before: { watch: id, ...told(was) } };
  const done = await insist(engine, "delete watch", () => removeWatch(engine.store, token, id, entry));
  return done.mine ? "removed" : "not-found";
}

function check(engine: Engine, call: WatchCall, now: number): Rejection | null {
  const problems = watchProblems(call, engine.settings.outbound, now);
  const selector = call.selector === undefined ? null : selectorProblem(call.selector);
  if (selector) problems.push({ path: "selector", message: selector });
  return problems.length > 0 ? { status: 400, code: "invalid", problems } : null;
}

/** What the audit keeps. Who knows a channel's whole address can write there: only what may be shown stands in it. */
function told({
  name,
  url,
  selector,
  attribute,
  compare,
  cron,
  everyMinutes,
  anchorAt,
  timeZone,
  channels,
}: WatchDefinition) {
  const shown = channelsOf(channels).map((channel) => shownChannel(channel));
  return { name, url, selector, attribute, compare, cron, everyMinutes, anchorAt, timeZone, channels: shown };
}
