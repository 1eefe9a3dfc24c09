import { type RuleCall, ruleProblems } from "~/domain/alerts/alerts";
import { channelsOf, shownChannel } from "~/domain/channels";
import type { Rejection } from "~/domain/submission";
import { findRule } from "~/store/alerts/alerts";
import { changeRule, disableRule, enableRule, insertRule, removeRule } from "~/store/alerts/edits";
import type { By } from "~/store/reopen";
import { readClock } from "~/store/schedules/schedules";
import { tell } from "../alert";
import type { Engine } from "../engine";
import { insist } from "../trouble/insist";

export type SavedRule =
  | { kind: "saved"; id: string; version: number }
  /** The same call was taken before: the version there is now. */
  | { kind: "exists"; id: string; version: number }
  | { kind: "rejected"; rejection: Rejection }
  | { kind: "full"; stored: number }
  /** Somebody changed it meanwhile. */
  | { kind: "changed"; version: number }
  | { kind: "not-found" };

/** `origin`: where links in its messages lead. `id`: of the form that asks, so that one form is one rule. */
export async function createRule(
  engine: Engine,
  call: RuleCall,
  { origin, id = engine.newId() }: { origin: string; id?: string },
  by: By,
): Promise<SavedRule> {
  const refused = check(engine, call);
  if (refused) return refused;
  const token = engine.newToken();
  const entry = { ...by, id: engine.newId(), action: "alert-rule.create" as const, after: told(id, call) };
  const done = await insist(engine, "create rule", () => insertRule(engine.store, token, { id, origin }, call, entry));
  if (done.mine) return { kind: "saved", id, version: 1 };
  return done.version === null ? { kind: "full", stored: done.stored } : { kind: "exists", id, version: done.version };
}

/** Changes all of a rule. `version`: only if it is still the one that was looked at. */
export async function updateRule(
  engine: Engine,
  { id, version }: { id: string; version?: number },
  call: RuleCall,
  origin: string,
  by: By,
): Promise<SavedRule> {
  const was = await findRule(engine.store, id);
  if (!was) return { kind: "not-found" };
  if (version !== undefined && version !== was.version) return { kind: "changed", version: was.version };
  const refused = check(engine, call);
  if (refused) return refused;
  const counts = was.condition === call.condition && was.kind === (call.kind ?? null) ? "the same" : "others";
  const before = told(id, { ...was, kind: was.kind ?? undefined });
  const entry = { ...by, id: engine.newId(), action: "alert-rule.update" as const, before, after: told(id, call) };
  const token = engine.newToken();
  const done = await insist(engine, "update rule", () =>
    changeRule(engine.store, token, { id, version: was.version, origin, counts }, call, entry),
  );
  if (done.mine) return { kind: "saved", id, version: was.version + 1 };
  return done.version === null ? { kind: "not-found" } : { kind: "changed", version: done.version };
}

export type SwitchedRule = "done" | "unchanged" | "not-found";

/** What is open of it ends, and nobody is told. */
export const disable = (engine: Engine, id: string, by: By) => change(engine, id, "disable", disableRule, by);
export const enable = (engine: Engine, id: string, by: By) => change(engine, id, "enable", enableRule, by);

async function change(
  engine: Engine,
  id: string,
  verb: "enable" | "disable",
  write: typeof disableRule,
  by: By,
): Promise<SwitchedRule> {
  const token = engine.newToken();
  const entry = { ...by, id: engine.newId(), action: `alert-rule.${verb}` as const, after: { rule: id } };
  const done = await insist(engine, `${verb} rule`, () => write(engine.store, token, id, entry));
  if (done.version === null) return "not-found";
  return done.mine ? "done" : "unchanged";
}

export async function remove(engine: Engine, id: string, by: By): Promise<"removed" | "not-found"> {
  const was = await findRule(engine.store, id);
  if (!was) return "not-found";
  const token = engine.newToken();
  const before = told(id, { ...was, kind: was.kind ?? undefined });
  const entry = { ...by, id: engine.newId(), action: "alert-rule.delete" as const, before };
  const done = await insist(engine, "delete rule", () => removeRule(engine.store, token, id, entry));
  return done.mine ? "removed" : "not-found";
}

export type Tested = { kind: "sent"; jobIds: string[] } | { kind: "no-channel" } | { kind: "not-found" };

/** Tells all channels of a rule what an alert of it looks like, whether it is on or not. `form`: names the test. */
export async function testRule(engine: Engine, id: string, by: By, form = engine.newId()): Promise<Tested> {
  const rule = await findRule(engine.store, id);
  if (!rule) return { kind: "not-found" };
  if (channelsOf(rule.channels).length === 0) return { kind: "no-channel" };
  const about = { alert: null, alertId: form, subject: "", subjectName: null, n: 0, example: null };
  const deed = { ...by, action: "alert-rule.test" as const, after: { rule: id } };
  const jobIds = await tell(engine, [{ type: "test", rule, ...about }], await readClock(engine.store), deed);
  return { kind: "sent", jobIds };
}

function check(engine: Engine, call: RuleCall): { kind: "rejected"; rejection: Rejection } | null {
  const problems = ruleProblems(call, engine.settings.outbound);
  return problems.length > 0 ? { kind: "rejected", rejection: { status: 400, code: "invalid", problems } } : null;
}

/** What the audit keeps. Who knows a channel's whole address can write there: only what may be shown stands in it. */
function told(id: string, { name, condition, kind, moreThan, windowMinutes, remindMinutes, channels }: RuleCall) {
  const shown = channelsOf(channels).map((channel) => shownChannel(channel));
  return { rule: id, name, condition, kind, moreThan, windowMinutes, remindMinutes, channels: shown };
}
