import type { Problem } from "~/domain/submission";
import { type EndpointInput, endpointProblems } from "~/domain/webhooks/endpoint_input";
import { newSecret, ROTATION_MS, secretProblem } from "~/domain/webhooks/signature";
import type { Entry } from "~/store/audit";
import type { By } from "~/store/reopen";
import {
  createEndpoint,
  deleteEndpoint,
  disableEndpoint,
  ENDPOINTS_MAX,
  enableEndpoint,
} from "~/store/webhooks/endpoints";
import { rotateSecret } from "~/store/webhooks/rotation";
import type { Engine } from "../engine";
import { insist } from "../trouble/insist";

export type Saved =
  /** `secret`: to be shown now, and never again. Null where nothing is signed. */
  | { kind: "saved"; id: string; secret: string | null }
  /** It was saved before, by the same form. */
  | { kind: "exists"; id: string }
  | { kind: "rejected"; problems: Problem[] };

/** `id`: of the form it comes from, so that one form saves one endpoint, however often it is sent. */
export async function saveEndpoint(
  engine: Engine,
  input: EndpointInput,
  headers: [string, string][],
  by: By,
  id = engine.newId(),
): Promise<Saved> {
  const problems = endpointProblems(input, headers, engine.settings.outbound);
  if (input.type === "service" && input.service !== undefined && !engine.services.service(input.service)) {
    problems.push({ path: "service", message: `no service binding of this deployment is named ${input.service}` });
  }
  if (problems.length > 0) return { kind: "rejected", problems };
  const secret = input.secret ?? (input.type === "standard" ? newSecret() : null);
  const endpoint = {
    id,
    name: input.name,
    type: input.type,
    address: input.url ?? input.path ?? "/",
    service: input.service ?? null,
    headers: Object.fromEntries(headers),
    secret,
  };
  const token = engine.newToken();
  const entry = entryOf(engine, by, "endpoint.create");
  const done = await insist(engine, "save endpoint", () => createEndpoint(engine.store, token, endpoint, entry));
  if (done === "full") {
    return { kind: "rejected", problems: [{ path: "", message: `at most ${ENDPOINTS_MAX} endpoints are kept` }] };
  }
  return done === "exists" ? { kind: "exists", id } : { kind: "saved", id, secret };
}

export type Changed = { kind: "changed" | "unchanged" | "not-found" };

/** From now on it gets nothing: events skip it, and what is being retried ends at its next try. */
export function disable(engine: Engine, id: string, by: By): Promise<Changed> {
  const entry = entryOf(engine, by, "endpoint.disable");
  return changing(engine, "disable endpoint", (token) =>
    disableEndpoint(engine.store, token, id, by.reason || "by a person", entry),
  );
}

export function enable(engine: Engine, id: string, by: By): Promise<Changed> {
  const entry = entryOf(engine, by, "endpoint.enable");
  return changing(engine, "enable endpoint", (token) => enableEndpoint(engine.store, token, id, entry));
}

export function remove(engine: Engine, id: string, by: By): Promise<Changed> {
  const entry = entryOf(engine, by, "endpoint.delete");
  return changing(engine, "delete endpoint", (token) => deleteEndpoint(engine.store, token, id, entry));
}

export type Rotated = { kind: "rotated"; secret: string } | { kind: "rejected"; problems: Problem[] } | Changed;

/**
 * A new secret signs from now on, the one before it beside it for 24 hours: receivers change over in between. With one
 * that is `given` it is safe to repeat; without, each call makes another. A form tells `since` which rotation it was opened: sent
 * again after a later one, it does not put its older secret back.
 */
export async function rotate(engine: Engine, id: string, by: By, given?: string, since?: number): Promise<Rotated> {
  const problem = given === undefined ? null : secretProblem(given);
  if (problem) return { kind: "rejected", problems: [{ path: "secret", message: problem }] };
  const secret = given ?? newSecret();
  const entry = entryOf(engine, by, "endpoint.rotate");
  const done = await changing(engine, "rotate secret", (token) =>
    rotateSecret(engine.store, token, id, secret, ROTATION_MS, entry, since),
  );
  return done.kind === "changed" ? { kind: "rotated", secret } : done;
}

async function changing(
  engine: Engine,
  step: string,
  change: (token: string) => Promise<{ found: boolean; changed: boolean }>,
): Promise<Changed> {
  const token = engine.newToken();
  const { found, changed } = await insist(engine, step, () => change(token));
  return { kind: changed ? "changed" : found ? "unchanged" : "not-found" };
}

const entryOf = (engine: Engine, by: By, action: Entry["action"]): Entry => ({ ...by, id: engine.newId(), action });
