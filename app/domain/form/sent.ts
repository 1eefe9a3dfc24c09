import { prettyJson } from "../job/pretty";
import type { Problem } from "../submission";
import { type FormFields, fieldsOf } from "./call";
import { type Draft, payloadOf } from "./draft";
import type { Spec } from "./spec";

/** Names of a payload's fields begin with this, so that none is taken for one of the form's own. */
export const DRAWN = "p:";

export type Sent = { get: (name: string) => unknown; entries: () => Iterable<[string, unknown]> };

export const draftIn = (sent: Sent): Draft =>
  Object.fromEntries(
    [...sent.entries()].flatMap(([name, value]) =>
      name.startsWith(DRAWN) ? [[name.slice(DRAWN.length), String(value)]] : [],
    ),
  );

/** What a submit form says, whichever way its payload is written, and what of its fields is no JSON. */
export function saidBy(sent: Sent, spec: Spec): { fields: FormFields; draft: Draft | null; problems: Problem[] } {
  const fields = fieldsOf(sent);
  if (sent.get("as") !== "form") return { fields, draft: null, problems: [] };
  const draft = draftIn(sent);
  const { text, problems } = payloadOf(spec, draft);
  return { fields: { ...fields, payload: prettyJson(text) }, draft, problems };
}
