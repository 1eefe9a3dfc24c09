import { type AskedToken, digestOf, hintOf, newApiToken } from "~/domain/people/tokens";
import type { Problem } from "~/domain/submission";
import { deleteToken, insertToken, TOKENS_MAX } from "~/store/people/tokens";
import type { By } from "~/store/reopen";
import type { Engine } from "../engine";
import { insist } from "../trouble/insist";

export type Made =
  /** `token`: to be shown now, and never again. */
  { kind: "made"; id: string; token: string } | { kind: "rejected"; problems: Problem[] };

/** `token` and `id`: of the form it comes from, so that one form makes one token, however often it is sent, also after that was revoked. */
export async function makeToken(
  engine: Engine,
  { name, role, payloads, days }: AskedToken,
  by: By,
  token = newApiToken(),
  id = engine.newId(),
): Promise<Made> {
  const row = { id, name, role, payloads, days, hash: await digestOf(token), hint: hintOf(token) };
  const entry = { ...by, id: engine.newId(), action: "token.create" as const };
  const chain = engine.newToken();
  const done = await insist(engine, "make token", () => insertToken(engine.store, chain, row, entry));
  if (done === "made") return { kind: "made", id, token };
  return { kind: "rejected", problems: [PROBLEMS[done]] };
}

const PROBLEMS = {
  gone: { path: "", message: "this form made its token before, and that was revoked since: it stays revoked" },
  taken: { path: "name", message: "is another token's: revoke that one, or take another name" },
  full: { path: "", message: `at most ${TOKENS_MAX} tokens are kept: revoke one` },
};

/** From now on it lets nobody in, nor does any session that was made of it. Answers whether it was there. */
export function revokeToken(engine: Engine, id: string, by: By): Promise<boolean> {
  const entry = { ...by, id: engine.newId(), action: "token.revoke" as const };
  const chain = engine.newToken();
  return insist(engine, "revoke token", () => deleteToken(engine.store, chain, id, entry));
}
