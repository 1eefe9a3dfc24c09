import { parseSchedule, type ScheduleCall, sameTiming } from "~/domain/schedules/call";
import type { Definition } from "~/domain/schedules/schedule";
import { timingOf } from "~/domain/schedules/schedule";
import { nextSlot } from "~/domain/schedules/slots";
import { withSecretsOf } from "~/domain/secrets";
import type { Rejection } from "~/domain/submission";
import type { By } from "~/store/reopen";
import { createSchedule, removeSchedule, updateSchedule } from "~/store/schedules/edits";
import { findSchedule, readClock } from "~/store/schedules/schedules";
import type { Engine } from "../engine";
import { prepare } from "../submit";
import { insist } from "../trouble/insist";

export type Saved =
  | { kind: "saved"; id: string; version: number }
  | { kind: "rejected"; rejection: Rejection }
  /** Another schedule has the name. */
  | { kind: "name-taken"; id: string; name: string }
  /** As many are stored as may be. */
  | { kind: "full"; stored: number }
  /** Somebody changed it meanwhile. */
  | { kind: "changed"; version: number }
  | { kind: "not-found" };

/** Stores a schedule. Its kind and payload are checked as a submit would, now: a mistake must not wait for 02:30. */
export async function create(engine: Engine, text: string, by: By): Promise<Saved> {
  const now = await readClock(engine.store);
  const call = await check(engine, text, now, null);
  if ("status" in call) return { kind: "rejected", rejection: call };
  const checked = call.definition;
  const [id, token] = [engine.newId(), engine.newToken()];
  const entry = { ...by, id: engine.newId(), action: "schedule.create" as const, after: told(checked) };
  const dueAt = nextSlot(timingOf(checked), now) as number;
  const done = await insist(engine, "create schedule", () =>
    createSchedule(engine.store, token, id, checked, dueAt, entry),
  );
  if (done.mine) return { kind: "saved", id, version: 1 };
  if (done.nameHolder !== null) return { kind: "name-taken", id: done.nameHolder, name: checked.name };
  return { kind: "full", stored: done.stored };
}

/** Changes all of a schedule; with a `version` in the text, only if that is still the one. */
export async function update(engine: Engine, id: string, text: string, by: By): Promise<Saved> {
  const was = await findSchedule(engine.store, id);
  if (!was) return { kind: "not-found" };
  const call = await check(engine, text, was.anchorAt ?? was.now, was);
  if ("status" in call) return { kind: "rejected", rejection: call };
  const checked = call.definition;
  const version = call.version ?? was.version;
  // A slot that is due this very minute is lost to no change that leaves the times alone.
  const keeps = was.dueAt !== null && sameTiming(was, checked);
  const dueAt = keeps ? null : nextSlot(timingOf(checked), was.now);
  const token = engine.newToken();
  const entry = {
    ...by,
    id: engine.newId(),
    action: "schedule.update" as const,
    before: told(was),
    after: told(checked),
  };
  await engine.seam("schedule update: before write");
  const done = await insist(engine, "update schedule", () =>
    updateSchedule(engine.store, token, { id, version }, checked, dueAt, entry),
  );
  if (done.mine) return { kind: "saved", id, version: version + 1 };
  if (done.version === null) return { kind: "not-found" };
  if (done.version !== version) return { kind: "changed", version: done.version };
  return { kind: "name-taken", id: done.nameHolder as string, name: checked.name };
}

export async function remove(engine: Engine, id: string, by: By): Promise<"removed" | "not-found"> {
  const was = await findSchedule(engine.store, id);
  if (!was) return "not-found";
  const token = engine.newToken();
  const entry = { ...by, id: engine.newId(), action: "schedule.delete" as const, before: told(was) };
  const done = await insist(engine, "delete schedule", () => removeSchedule(engine.store, token, id, entry));
  return done.mine ? "removed" : "not-found";
}

/** `was`: what is changed. Its secrets, which whoever changes it has not seen, stay where they are. */
async function check(
  engine: Engine,
  text: string,
  now: number,
  was: Definition | null,
): Promise<ScheduleCall | Rejection> {
  const call = parseSchedule(text, now, was !== null);
  if ("status" in call) return call;
  const rules = engine.kinds.get(call.submission.kind);
  if (rules && was?.kind === call.submission.kind) {
    const payloadText = withSecretsOf(was.payload, call.submission.payloadText, rules);
    if (typeof payloadText !== "string") {
      return {
        status: 400,
        code: "invalid",
        problems: payloadText.map((problem) => ({ ...problem, path: `payload.${problem.path}` })),
      };
    }
    call.definition.payload = payloadText;
    call.submission = { ...call.submission, payloadText, payload: JSON.parse(payloadText) };
  }
  const jobs = await prepare(engine, [call.submission], "outside");
  return "status" in jobs ? jobs : call;
}

/** What the audit keeps of a definition. The payload is not repeated there: it may hold what few should see. */
function told(definition: Definition) {
  const { name, cron, everyMinutes, anchorAt, timeZone, kind, priority, maxAttempts, missed, missedMax, overlap } =
    definition;
  return { name, cron, everyMinutes, anchorAt, timeZone, kind, priority, maxAttempts, missed, missedMax, overlap };
}
