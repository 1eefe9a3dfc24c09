import { data } from "react-router";
import type { App } from "~/cloudflare";
import { RULE, type RuleCall } from "~/domain/alerts/alerts";
import { type RuleFields, ruleCallOf, ruleFieldsOf } from "~/domain/alerts/form";
import { idTime } from "~/domain/ids";
import { type Problem, problemsOf } from "~/domain/submission";
import type { SavedRule } from "~/lifecycle/alerts/edit_rule";
import { isUnreachable } from "~/store/errors";
import { formOf } from "./answer.server";

/** What a form that was not saved shows: its values, and what is wrong. */
export type RuleFormState = { id: string; fields: RuleFields; problems: Problem[]; saved: false };

type Save = (call: RuleCall, form: { id: string; version: number | undefined }) => Promise<SavedRule>;

/** Saves what the form holds, the way of every call. */
export async function saveRuleForm(request: Request, app: App, save: Save) {
  const form = await formOf(request);
  const fields = ruleFieldsOf(form);
  const given = String(form.get("id") ?? "");
  const id = idTime(given) === null ? app.engine.newId() : given;
  const refuse = (status: number, problems: Problem[]) =>
    data<RuleFormState>({ id, fields, problems, saved: false }, { status });

  const parsed = RULE.safeParse(ruleCallOf(fields));
  if (!parsed.success) return refuse(400, problemsOf(parsed.error));
  try {
    const done = await save(parsed.data, { id, version: Number(fields.version) || undefined });
    switch (done.kind) {
      case "saved":
      case "exists":
        return { saved: true as const };
      case "rejected":
        return refuse(400, done.rejection.problems);
      case "full":
        return refuse(409, [{ path: "", message: `${done.stored} rules are stored, no more are taken.` }]);
      case "changed":
        return refuse(409, [
          { path: "", message: "Somebody changed it meanwhile: open it anew to see how it is now." },
        ]);
      case "not-found":
        throw data({ reason: "no-such-rule" }, { status: 404 });
    }
  } catch (error) {
    if (!isUnreachable(error)) throw error;
    app.engine.events({ event: "database.unreachable", step: "rule form", error: String(error) });
    return refuse(503, [
      { path: "", message: "The database did not answer. Save again: the same form makes one rule." },
    ]);
  }
}
