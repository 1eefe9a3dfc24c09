import type { App } from "~/cloudflare";
import { type EndpointFields, endpointCallOf, endpointFieldsOf, headerLines } from "~/domain/endpoint_form";
import { endpointProblems, NEW_ENDPOINT } from "~/domain/endpoint_input";
import { idTime } from "~/domain/ids";
import { type Problem, problemsOf } from "~/domain/submission";
import { saveEndpoint } from "~/lifecycle/endpoints";
import { formOf } from "./answer.server";
import { isUnreachable } from "./read.server";

export type SavedForm =
  | { kind: "saved"; id: string; secret: string | null }
  | { kind: "exists"; id: string }
  | { kind: "refused"; status: number; id: string; fields: EndpointFields; problems: Problem[] };

/** Saves what the form holds. A secret that was typed does not come back with what was refused. */
export async function saveForm(request: Request, app: App): Promise<SavedForm> {
  const form = await formOf(request);
  const given = String(form.get("id") ?? "");
  const id = idTime(given) === null ? app.engine.newId() : given;
  const fields = endpointFieldsOf(form);
  const refuse = (status: number, problems: Problem[]): SavedForm => ({
    kind: "refused",
    status,
    id,
    fields: { ...fields, secret: "" },
    problems,
  });
  const { headers, problems } = headerLines(fields.headers);
  const parsed = NEW_ENDPOINT.safeParse(endpointCallOf(fields, headers));
  if (!parsed.success) return refuse(400, [...problems, ...problemsOf(parsed.error)]);
  if (problems.length > 0) {
    return refuse(400, [...problems, ...endpointProblems(parsed.data, headers, app.engine.settings.outbound)]);
  }
  try {
    const done = await saveEndpoint(app.engine, parsed.data, headers, { actor: app.identity.name }, id);
    return done.kind === "rejected" ? refuse(400, done.problems) : done;
  } catch (error) {
    if (!isUnreachable(error)) throw error;
    app.engine.events({ event: "database.unreachable", step: "save endpoint", error: String(error) });
    return refuse(503, [
      { path: "", message: "The database did not answer. Save again: the same form saves one endpoint." },
    ]);
  }
}
