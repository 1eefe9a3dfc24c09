import { data, redirect } from "react-router";
import type { App } from "~/cloudflare";
import { jobAddress } from "~/domain/addresses";
import { fullDayText } from "~/domain/day";
import { callText, type FormFields } from "~/domain/form/call";
import { countOf, type Draft, draftOf, withItem, withoutItem } from "~/domain/form/draft";
import { DRAWN, saidBy } from "~/domain/form/sent";
import type { Spec } from "~/domain/form/spec";
import { token } from "~/domain/ids";
import { CALL_BYTES, PAYLOAD_BYTES } from "~/domain/limits";
import { type NoticeCode, noticeCookie } from "~/domain/notices";
import { formKey } from "~/domain/own_keys";
import { type Problem, parseJson, parseSubmissions, type Submission } from "~/domain/submission";
import { madeOf } from "~/lifecycle/run_again";
import { submit } from "~/lifecycle/submit";
import { isUnreachable } from "~/store/errors";
import { formOf } from "./answer.server";
import { specFor } from "./form_spec.server";

/** What a form that was not taken shows: its values, what is wrong with them, and the key for the next try. */
export type FormState = {
  fields: FormFields;
  problems: Problem[];
  form: string;
  /** The job that has this key already. */
  holder: string | null;
  /** D1 did not answer: it may be stored, or not. */
  unknown: boolean;
  as: "form" | "json";
  /** The payload's fields as they were sent. */
  draft: Draft | null;
  /** The field to go on at. */
  focus: string | null;
  /** Another number: the fields are drawn anew. Where it stays, they keep what was typed meanwhile. */
  drawn: number;
};

export const isFormId = (text: unknown): text is string =>
  typeof text === "string" && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);

/** Submits what the form holds, the way of every call. One form is one job, however often it is sent unchanged. */
export async function submitForm(request: Request, app: App) {
  const sent = await formOf(request, CALL_BYTES);
  const id = sent.get("form");
  const form = isFormId(id) ? id : token();
  const kind = app.engine.kinds.get(String(sent.get("kind")));
  const spec = kind ? specFor(kind) : NOTHING;
  const { fields, draft, problems: unread } = saidBy(sent, spec);
  const shown: FormState = {
    fields,
    problems: [],
    form,
    holder: null,
    unknown: false,
    as: draft ? "form" : "json",
    draft,
    focus: null,
    drawn: Number(sent.get("drawn")) || 0,
  };
  const refuse = (status: number, problems: Problem[], next = form, holder: string | null = null) =>
    data<FormState>({ ...shown, problems, form: next, holder, unknown: status === 503 }, { status });
  const to = sent.get("to");
  if (to)
    return data<FormState>({ ...shown, drawn: shown.drawn + 1, ...changed(spec, fields.payload, draft, String(to)) });

  const ownKey = fields.idempotencyKey !== "";
  const asked = ownKey ? fields : { ...fields, idempotencyKey: formKey(form) };
  const wrong = unread.length > 0 ? unread : payloadProblems(fields.payload);
  // A payload that is no JSON cannot stand in the call: then the rest is checked without it, and all is told at once.
  const parsed = parseSubmissions(callText(wrong.length > 0 ? { ...asked, payload: "{}" } : asked));
  if ("status" in parsed) return refuse(parsed.status, [...wrong, ...parsed.problems]);
  if (wrong.length > 0) return refuse(400, wrong);
  try {
    const [one] = parsed.submissions as [Submission];
    const from = sent.get("from");
    const by = { actor: app.identity.name };
    if (from) mayMakeAnother(app);
    const ready = from ? await madeOf(app.engine, String(from), one, by) : { made: one };
    if (Array.isArray(ready)) return refuse(400, ready);
    const done = await submit(app.engine, [ready.made], by.actor, ready.deed);
    if (done.kind === "rejected") return refuse(done.rejection.status, done.rejection.problems);
    if (done.kind === "conflict") {
      return ownKey ? refuse(409, [TAKEN], form, done.jobId) : refuse(409, [], token(), done.jobId);
    }
    if (done.kind === "full") return refuse(429, [{ path: "", message: fullDayText(done) }]);
    const [job] = done.jobs as [(typeof done.jobs)[0]];
    const code = !job.replayed ? "submitted" : ownKey ? "key-used-before" : "submitted-before";
    return leave(job.id, { code, jobId: job.id });
  } catch (error) {
    if (!isUnreachable(error)) throw error;
    app.engine.events({ event: "database.unreachable", step: "submit form", error: String(error) });
    return refuse(503, [{ path: "", message: UNKNOWN }]);
  }
}

/** Who makes a job of another one sends its payload, unseen secrets included: nobody does that unseen who may not see it. */
export function mayMakeAnother({ identity }: App): void {
  if (!identity.payloads) throw data({ reason: "payloads-hidden" }, { status: 403 });
}

const NOTHING: Spec = { draws: "json", required: true };
const NO_FIELD = "is no JSON, or holds what the form has no field for: it stays here";

/** What a button of the form asks for beside submitting: the other way of writing, an item more or less. */
function changed(spec: Spec, payload: string, draft: Draft | null, to: string): Partial<FormState> {
  const [what, at = ""] = to.split(" ", 2);
  if (what === "json") return { as: "json", draft: null, focus: "payload" };
  if (what === "form") {
    const drawn = draft ?? draftOf(spec, payload);
    return drawn ? { as: "form", draft: drawn } : { problems: [{ path: "payload", message: NO_FIELD }] };
  }
  if (!draft) return {};
  if (what === "add") return { draft: withItem(draft, at), focus: `${DRAWN}${at}.${countOf(draft, at)}` };
  return { draft: withoutItem(draft, at), focus: `${DRAWN}${at.slice(0, at.lastIndexOf("."))}` };
}

function payloadProblems(text: string): Problem[] {
  if (text.trim() === "") return [{ path: "payload", message: "is empty: give the kind's input, {} if it has none" }];
  if (text.length > PAYLOAD_BYTES)
    return [{ path: "payload", message: `is over the ${PAYLOAD_BYTES} bytes that are taken` }];
  const parsed = parseJson(text);
  return parsed.ok ? [] : parsed.rejection.problems.map((problem) => ({ ...problem, path: "payload" }));
}

const TAKEN: Problem = { path: "idempotencyKey", message: "stands for another request already" };
const UNKNOWN = "The database did not answer. Submit again: the same form makes one job, however often it is sent.";

const leave = (id: string, notice: NoticeCode) =>
  redirect(jobAddress(id), { status: 303, headers: { "Set-Cookie": noticeCookie(notice) } });
