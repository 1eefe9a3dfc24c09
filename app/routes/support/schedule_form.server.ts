import { data } from "react-router";
import type { App } from "~/cloudflare";
import { CALL_BYTES, PAYLOAD_BYTES } from "~/domain/limits";
import { type ScheduleFields, scheduleFieldsOf } from "~/domain/schedules/fields";
import { type PreviewAnswer, previewFields, scheduleCallText } from "~/domain/schedules/form";
import { type Problem, parseJson } from "~/domain/submission";
import type { Saved } from "~/lifecycle/schedules/edit";
import { isUnreachable } from "~/store/errors";
import type { By } from "~/store/reopen";
import { formOf } from "./answer.server";

/** What a form that was not saved shows: its values, what is wrong, and what its times come to. */
export type ScheduleFormState = { fields: ScheduleFields; problems: Problem[]; answer: PreviewAnswer; saved: false };

type Save = (text: string, by: By) => Promise<Saved>;

/** Saves what the form holds, the way of every call; or shows its next firings, where that was asked for. */
export async function saveScheduleForm(request: Request, app: App, save: Save) {
  const form = await formOf(request, CALL_BYTES);
  const fields = scheduleFieldsOf(form);
  const answer = previewFields(fields, Date.now());
  const refuse = (status: number, problems: Problem[]) =>
    data<ScheduleFormState>({ fields, problems, answer, saved: false }, { status });
  if (form.get("preview")) return refuse(200, answer.problems);

  const payload = fields.payload.length > PAYLOAD_BYTES ? null : parseJson(fields.payload);
  if (payload && !payload.ok) {
    return refuse(400, [
      ...payload.rejection.problems.map((problem) => ({ ...problem, path: "payload" })),
      ...answer.problems,
    ]);
  }
  try {
    const done = await save(scheduleCallText(fields), { actor: app.identity.name });
    switch (done.kind) {
      case "saved":
        return { id: done.id, saved: true as const };
      case "rejected":
        return refuse(done.rejection.status, done.rejection.problems);
      case "name-taken":
        return refuse(409, [{ path: "name", message: "is the name of another schedule" }]);
      case "full":
        return refuse(409, [{ path: "", message: `${done.stored} schedules are stored, no more are taken.` }]);
      case "changed":
        return refuse(409, [
          { path: "", message: "Somebody changed it meanwhile: open it anew to see how it is now." },
        ]);
      case "not-found":
        throw data({ reason: "no-such-schedule" }, { status: 404 });
    }
  } catch (error) {
    if (!isUnreachable(error)) throw error;
    app.engine.events({ event: "database.unreachable", step: "schedule form", error: String(error) });
    return refuse(503, [
      { path: "", message: "The database did not answer. Save again: a name stands for one schedule." },
    ]);
  }
}
