import { data } from "react-router";
import type { App } from "~/cloudflare";
import { idTime } from "~/domain/ids";
import { type PreviewAnswer, previewFields } from "~/domain/schedules/form";
import { type Problem, problemsOf } from "~/domain/submission";
import { type WatchFields, watchCallOf, watchFieldsOf } from "~/domain/watches/form";
import { WATCH, type WatchCall } from "~/domain/watches/watch";
import type { SavedWatch } from "~/lifecycle/watches/edit";
import { isUnreachable } from "~/store/errors";
import { formOf } from "./answer.server";

/** What a form that was not saved shows: its values, what is wrong, and what its times come to. */
export type WatchFormState = {
  id: string;
  fields: WatchFields;
  problems: Problem[];
  answer: PreviewAnswer;
  saved: false;
};

type Save = (call: WatchCall, form: { id: string; version: number | undefined }) => Promise<SavedWatch>;

/** Saves what the form holds, the way of every call; or shows its next firings, where that was asked for. */
export async function saveWatchForm(request: Request, app: App, save: Save) {
  const form = await formOf(request);
  const fields = watchFieldsOf(form);
  const given = String(form.get("id") ?? "");
  const id = idTime(given) === null ? app.engine.newId() : given;
  const answer = previewFields(fields, Date.now());
  const refuse = (status: number, problems: Problem[]) =>
    data<WatchFormState>({ id, fields, problems, answer, saved: false }, { status });
  if (form.get("preview")) return refuse(200, answer.problems);

  const parsed = WATCH.safeParse(watchCallOf(fields));
  if (!parsed.success) return refuse(400, [...problemsOf(parsed.error), ...answer.problems]);
  try {
    const done = await save(parsed.data, { id, version: Number(fields.version) || undefined });
    switch (done.kind) {
      case "saved":
      case "exists":
        return { id: done.id, saved: true as const };
      case "rejected":
        return refuse(400, done.rejection.problems);
      case "full":
        return refuse(409, [{ path: "", message: `${done.stored} watches are stored, no more are taken.` }]);
      case "changed":
        return refuse(409, [
          { path: "", message: "Somebody changed it meanwhile: open it anew to see how it is now." },
        ]);
      case "not-found":
        throw data({ reason: "no-such-watch" }, { status: 404 });
    }
  } catch (error) {
    if (!isUnreachable(error)) throw error;
    app.engine.events({ event: "database.unreachable", step: "watch form", error: String(error) });
    return refuse(503, [
      { path: "", message: "The database did not answer. Save again: the same form makes one watch." },
    ]);
  }
}
