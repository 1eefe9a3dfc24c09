import { canonicalJson } from "~/domain/json";
import { maskedJson, withSecretsOf } from "~/domain/secrets";
import type { Problem, Submission } from "~/domain/submission";
import { findSource } from "~/store/claims";
import type { By } from "~/store/reopen";
import type { Engine } from "./engine";
import type { Deed } from "./submit";

/**
 * What was asked for, made of job `from`: linked to it, and with its secrets where they were left as they were shown. A stored
 * payload never changes, so what a person edits becomes another job. `deed`: kept with it, on the page of the job that was there.
 */
export async function madeOf(
  engine: Engine,
  from: string,
  one: Submission,
  by: By,
): Promise<{ made: Submission; deed?: Deed } | Problem[]> {
  const source = await findSource(engine.store, from);
  if (!source) return { made: one };
  const linked = { ...one, origin: { ...one.origin, editedFrom: from } };
  const deedOf = (payload: string): Deed => ({
    ...by,
    action: "edit and run",
    jobId: from,
    before: { job: from, kind: source.kind },
    after: { kind: one.kind, payload },
  });
  const rules = engine.kinds.get(one.kind);
  if (source.kind !== one.kind || !rules) return { made: linked, deed: deedOf("another") };
  // Spaces are sent along: what nobody changed goes as it went before, to the byte.
  const unchanged = canonicalJson(one.payloadText) === canonicalJson(maskedJson(source.payload, rules));
  const payloadText = unchanged ? source.payload : withSecretsOf(source.payload, one.payloadText, rules);
  if (typeof payloadText !== "string") {
    return payloadText.map((problem) => ({ ...problem, path: `payload.${problem.path}` }));
  }
  const made = { ...linked, payloadText, payload: JSON.parse(payloadText) };
  return { made, deed: deedOf(unchanged ? "as it was" : "changed") };
}
