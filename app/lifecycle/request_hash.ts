import { canonicalJson } from "~/domain/json";
import { sha256 } from "~/domain/sha256";
import type { Submission } from "~/domain/submission";

/** One hash for all spellings of one request: SHA-256 over its canonical JSON, time as sent. */
export async function requestHash(one: Submission): Promise<string> {
  const { expiresAt, groupKey } = one;
  // Only where they are given: a request without them keeps the hash that it had before there were any.
  const later = expiresAt === undefined && groupKey === undefined ? [] : [expiresAt ?? null, groupKey ?? null];
  const options = [one.delaySeconds ?? null, one.runAt ?? null, one.priority ?? null, one.maxAttempts ?? null];
  const text = canonicalJson(
    `[${JSON.stringify(one.kind)},${one.payloadText},${JSON.stringify([...options, ...later])}]`,
  );
  return (await sha256(text)).toHex();
}
