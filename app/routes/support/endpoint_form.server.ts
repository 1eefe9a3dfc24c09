import type { App } from "~/cloudflare";
import { idTime } from "~/domain/ids";
import { type Problem, problemsOf } from "~/domain/submission";
import { type EndpointFields, endpointCallOf, endpointFieldsOf, headerLines } from "~/domain/webhooks/endpoint_form";
import { endpointProblems, NEW_ENDPOINT } from "~/domain/webhooks/endpoint_input";
import { newSecret, secretProblem } from "~/domain/webhooks/signature";
import { saveEndpoint } from "~/lifecycle/webhooks/endpoints";
import { isUnreachable } from "~/store/errors";
import { formOf } from "./answer.server";

export type SavedForm =
  | { kind: "saved"; id: string; secret: string | null }
  | { kind: "exists"; id: string }
  | { kind: "refused"; status: number; id: string; made: string; fields: EndpointFields; problems: Problem[] };

/**
 * Saves what the form holds. It brings along the secret that was made for it, so that the answer to a form that is sent
 * again shows the same one. A secret that was typed does not come back with what was refused.
 */
export async function saveForm(request: Request, app: App): Promise<SavedForm> {
  const form = await formOf(request);
  const given = String(form.get("id") ?? "");
  const id = idTime(given) === null ? app.engine.newId() : given;
  const brought = String(form.get("made") ?? "");
  const made = secretProblem(brought) === null ? brought : newSecret();
  const fields = endpointFieldsOf(form);
  const refuse = (status: number, problems: Problem[]): SavedForm => ({
    kind: "refused",
    status,
    id,
    made,
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
    const secret = parsed.data.secret ?? (parsed.data.type === "standard" ? made : undefined);
    const input = { ...parsed.data, ...(secret !== undefined && { secret }) };
    const done = await saveEndpoint(app.engine, input, headers, { actor: app.identity.name }, id);
    return done.kind === "rejected" ? refuse(400, done.problems) : done;
  } catch (error) {
    if (!isUnreachable(error)) throw error;
    app.engine.events({ event: "database.unreachable", step: "save endpoint", error: String(error) });
    return refuse(503, [
      { path: "", message: "The database did not answer. Save again: the same form saves one endpoint." },
    ]);
  }
}
