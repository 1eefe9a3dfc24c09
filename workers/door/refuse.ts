import type { Identity } from "~/cloudflare";
import { idOf } from "~/domain/ids";
import { ACTS } from "~/domain/people/acts";
import { actsOf } from "~/domain/people/needed";
import { type Rights, rightsText } from "~/domain/people/roles";
import { PROBLEM_TYPE, problem } from "~/domain/problem";
import { sha256 } from "~/domain/sha256";
import type { Engine } from "~/lifecycle/engine";
import { noteRefused } from "~/store/audit";
import { isUnreachable } from "~/store/errors";
import { page } from "./answers";
import { asksForData } from "./paths";
import { refusedPage } from "./refused_page";

const MINUTE_MS = 60_000;

export type Desk = Pick<Engine, "store" | "events" | "localNow">;

/** Somebody whom we know asked for what they may not do: nothing behind the door runs, and that they asked is kept. */
export async function refuse(
  request: Request,
  url: URL,
  who: Identity,
  needed: Rights,
  nonce: string,
  desk: Desk,
): Promise<Response> {
  const { method } = request;
  const acts = actsOf(method, url.pathname);
  const does = acts === "unnamed" ? "do this" : acts.map((name) => ACTS[name].does).join(", ");
  await noteRefusal(desk, who, acts === "unnamed" ? acts : acts.join(" "), { method, path: url.pathname, needed });
  if (!asksForData(request, url)) return page(403, refusedPage(nonce, who, needed, does));
  const detail = `to ${does} needs: the role ${rightsText(needed)}; ${who.name} has: ${rightsText(who)}`;
  const document = problem(403, "not-allowed", detail, { needs: needed });
  return Response.json(document, { status: 403, headers: { "Content-Type": PROBLEM_TYPE } });
}

/** One row a minute for each person and act, however often they ask. Where D1 does not answer, the log alone tells of it. */
export async function noteRefusal(
  desk: Desk,
  who: Identity,
  act: string,
  asked: { method: string; path: string; needed: Rights },
) {
  const { method, path } = asked;
  desk.events({ event: "access.refused", actor: who.name, role: who.role, method, path });
  const minute = Math.floor(desk.localNow() / MINUTE_MS) * MINUTE_MS;
  const bytes = await sha256(JSON.stringify([who.name, who.how, act]));
  const kept = { ...asked, path: path.slice(0, PATH_CHARS), as: { role: who.role, payloads: who.payloads } };
  try {
    await noteRefused(desk.store, idOf(minute, bytes), who.name, kept);
  } catch (error) {
    if (!isUnreachable(error)) throw error;
    desk.events({ event: "database.unreachable", step: "a refusal", error: String(error) });
  }
}

const PATH_CHARS = 200;
