import { canonicalJson } from "~/domain/json";
import { maskedJson, withSecretsOf } from "~/domain/secrets";
import type { Problem, Submission } from "~/domain/submission";
import { findSource } from "~/store/claims";
import type { Engine } from "./engine";

/**
 * What was asked for, made of job `from`: linked to it, and with its secrets where they were left as they were shown. A stored
 * payload never changes, so what a person edits becomes another job.
 */
export async function madeOf(engine: Engine, from: string, one: Submission): Promise<Submission | Problem[]> {
  const source = await findSource(engine.store, from);
  if (!source) return one;
  const linked = { ...one, origin: { ...one.origin, editedFrom: from } };
  const rules = engine.kinds.get(one.kind);
  if (source.kind !== one.kind || !rules) return linked;
  // Spaces are sent along: what nobody changed goes as it went before, to the byte.
  const unchanged = canonicalJson(one.payloadText) === canonicalJson(maskedJson(source.payload, rules));
  const payloadText = unchanged ? source.payload : withSecretsOf(source.payload, one.payloadText, rules);
  if (typeof payloadText !== "string") {
    return payloadText.map((problem) => ({ ...problem, path: `payload.${problem.path}` }));
  }
  return { ...linked, payloadText, payload: JSON.parse(payloadText) };
}
