import { timingOf } from "~/domain/schedules/schedule";
import { nextSlot } from "~/domain/schedules/slots";
import { capText } from "~/domain/text";
import type { By } from "~/store/reopen";
import { readClock } from "~/store/schedules/schedules";
import { askForCheck, pauseWatch, resumeWatch } from "~/store/watches/edits";
import { findWatch } from "~/store/watches/watches";
import type { Engine } from "../engine";
import { insist } from "../trouble/insist";
import { startDue } from "../watch";

export type Switched =
  | { kind: "done" }
  /** It was so already. */
  | { kind: "unchanged" }
  | { kind: "not-found" }
  | { kind: "refused"; why: string };

export async function pauseChecks(engine: Engine, id: string, by: By): Promise<Switched> {
  const token = engine.newToken();
  const entry = { ...by, id: engine.newId(), action: "watch.pause" as const, after: { watch: id } };
  const done = await insist(engine, "pause watch", () => pauseWatch(engine.store, token, id, entry));
  if (done.version === null) return { kind: "not-found" };
  return done.mine ? { kind: "done" } : { kind: "unchanged" };
}

/** Goes on at the first slot to come. */
export async function resumeChecks(engine: Engine, id: string, by: By): Promise<Switched> {
  const was = await findWatch(engine.store, id);
  if (!was) return { kind: "not-found" };
  if (was.pausedAt === null) return { kind: "unchanged" };
  const now = await readClock(engine.store);
  const next = slotAfter(now);
  if (typeof next === "string") return { kind: "refused", why: next };
  const token = engine.newToken();
  const entry = { ...by, id: engine.newId(), action: "watch.resume" as const, after: { watch: id } };
  const done = await insist(engine, "resume watch", () => resumeWatch(engine.store, token, was, next, entry));
  if (done.version === null) return { kind: "not-found" };
  return done.mine ? { kind: "done" } : { kind: "unchanged" };

  function slotAfter(after: number): number | string {
    try {
      return nextSlot(timingOf(was as NonNullable<typeof was>), after) ?? "no further slot ever comes";
    } catch (error) {
      return capText(`its times cannot be read: ${(error as Error).message}`, 500);
    }
  }
}

export type Asked = { kind: "started"; jobIds: string[] } | { kind: "under-way" } | { kind: "not-found" };

/** A check now, beside the schedule: the next slot stays the one to come. One that is due or under way is the one. */
export async function checkNow(engine: Engine, id: string, by: By): Promise<Asked> {
  const watch = await findWatch(engine.store, id);
  if (!watch) return { kind: "not-found" };
  const token = engine.newToken();
  const entry = { ...by, id: engine.newId(), action: "watch.check" as const, after: { watch: id } };
  const { mine, version, dueAt } = await insist(engine, "ask for check", () =>
    askForCheck(engine.store, token, id, entry),
  );
  if (version === null) return { kind: "not-found" };
  if (!mine || dueAt === null) return { kind: "under-way" };
  await engine.seam("check now: before start");
  return { kind: "started", jobIds: await startDue(engine, [{ id, name: watch.name, dueAt }]) };
}
