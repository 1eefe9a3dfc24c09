import { meaningOf, retryAfter } from "~/domain/answers";
import { PermanentError } from "~/domain/errors";
import { type Hide, hiderOfValues } from "~/domain/secrets";
import { preview } from "~/domain/text";
import { webhookHeaders } from "~/domain/webhooks/signature";
import { bodyOf, type EndpointType, isSecretAddress, shownTarget } from "~/domain/webhooks/webhooks";
import type { Tried } from "~/store/webhooks/deliveries";
import type { Addressee } from "~/store/webhooks/endpoints";
import { bodyText } from "../body_text";
import type { JobContext } from "../define";
import type { Event, Receiver } from "./event";

const ANSWER_BYTES = 2_048;
const ERROR_CHARS = 500;
/** Signs what goes to receivers that are written out in an event. */
const DEPLOYMENT_SECRET = "WEBHOOK_SECRET";

/** Whom a request goes to, with all that it needs. `skip`: why nothing may be sent. */
export type Addressed = Omit<Addressee, "id" | "disabled"> & {
  endpointId: string | null;
  target: string;
  skip: string | null;
};

export function addressedTo(ctx: JobContext, to: Receiver, saved: ReadonlyMap<string, Addressee>): Addressed {
  const stored = to.id === undefined ? undefined : saved.get(to.id);
  if (to.id !== undefined && !stored) return { ...REMOVED, endpointId: to.id };
  const { type, address, service } = stored ?? {
    type: to.type ?? "standard",
    address: to.url ?? to.path ?? "/",
    service: to.service ?? null,
  };
  const own = type === "standard" ? ctx.services.secret(DEPLOYMENT_SECRET) : undefined;
  return {
    type,
    address,
    service,
    endpointId: stored?.id ?? null,
    headers: stored?.headers ?? {},
    secrets: stored?.secrets ?? (own ? [own] : []),
    skip: stored?.disabled ? "the endpoint is disabled" : null,
    target: shownTarget(type, address, service),
  };
}

const REMOVED = {
  type: "standard" as EndpointType,
  address: "",
  service: null,
  headers: {},
  secrets: [],
  skip: "the endpoint was removed",
  target: "a removed endpoint",
};

/** How a try ended. `retryAfterMs`: what the answer asked for. `gone`: it wants nothing any more. */
export type Try = Tried & { retryAfterMs: number; gone: boolean };

/**
 * One request to one endpoint. Never follows a redirect: a 307 elsewhere would carry the signature along. Throws only
 * where the attempt itself is stopped.
 */
export async function tryOnce(ctx: JobContext, event: Event, to: Addressed, webhookId: string): Promise<Try> {
  if (ctx.signal.aborted) throw ctx.signal.reason;
  if (to.skip) return { ...NOTHING, error: to.skip };
  const startedAt = ctx.now();
  // A receiver may tell what it was sent, and what it tells is shown.
  const hide = hiderOfValues([
    ...Object.values(to.headers),
    ...to.secrets,
    ...(isSecretAddress(to.type, to.address) ? [to.address] : []),
  ]);
  const ended = (rest: Partial<Try> & Pick<Try, "status">): Try => ({
    ...NOTHING,
    durationMs: ctx.now() - startedAt,
    signed: to.type !== "slack" && to.secrets.length > 0,
    ...rest,
    error: rest.error ? preview(hide(rest.error), ERROR_CHARS) : null,
  });
  try {
    const { status, headers, answer } = await request(ctx, event, to, webhookId, hide);
    const meaning = meaningOf(status);
    if (meaning === "success") return ended({ status: "delivered", httpStatus: status, answer });
    const location = headers.get("location");
    const asked = headers.get("retry-after");
    const more = location
      ? ` to ${location} (redirects are not followed)`
      : meaning === "retry" && asked
        ? ` (Retry-After: ${asked})`
        : "";
    return ended({
      status: meaning === "retry" ? "retrying" : "failed",
      httpStatus: status,
      error: `answered ${status}${more}`,
      answer,
      retryAfterMs: retryAfter(asked, ctx.now()) ?? 0,
      gone: status === 410,
    });
  } catch (error) {
    if (ctx.signal.aborted) throw ctx.signal.reason;
    const { message } = error instanceof Error ? error : new Error(String(error));
    if (error instanceof PermanentError) return ended({ status: "failed", error: message });
    return ended({ status: "retrying", error: message });
  }
}

const NOTHING: Try = {
  status: "skipped",
  httpStatus: null,
  durationMs: null,
  signed: false,
  error: null,
  answer: null,
  retryAfterMs: 0,
  gone: false,
};

type Answer = { status: number; headers: Headers; answer: string | null };

async function request(ctx: JobContext, event: Event, to: Addressed, webhookId: string, hide: Hide): Promise<Answer> {
  const body = bodyOf(to.type, event);
  const init = { method: "POST", headers: headersOf(ctx, to, webhookId, body), body, redirect: "manual" as const };
  const timeoutMs = event.timeoutSeconds * 1000;
  if (to.type !== "service") return answerOf(await ctx.fetch(to.address, { ...init, timeoutMs }), hide);
  const service = ctx.services.service(to.service ?? "");
  if (!service) throw new PermanentError(`no service binding is named ${to.service}`);
  const url = new URL(to.address, "https://service.internal");
  const stop = new AbortController();
  const late = ctx.sleep(timeoutMs).then(() => {
    const error = new Error(`no answer within ${event.timeoutSeconds} s`);
    stop.abort(error);
    throw error;
  });
  const signal = AbortSignal.any([ctx.signal, stop.signal]);
  return Promise.race([
    service.fetch(url.href, { ...init, signal }).then((response) => answerOf(response, hide)),
    late,
  ]);
}

async function answerOf(response: Response, hide: Hide): Promise<Answer> {
  const answer = await bodyText(response, ANSWER_BYTES, hide);
  return { status: response.status, headers: response.headers, answer: answer || null };
}

/** Built before anything is sent: what cannot be a header, or cannot sign, is wrong at every further try too. */
function headersOf(ctx: JobContext, to: Addressed, webhookId: string, body: string): Headers {
  try {
    return new Headers({
      ...to.headers,
      "content-type": "application/json",
      ...(to.type !== "slack" && webhookHeaders(webhookId, ctx.now(), body, to.secrets)),
    });
  } catch {
    const what = to.endpointId === null ? DEPLOYMENT_SECRET : "the endpoint's headers or secret";
    throw new PermanentError(`the request cannot be built: ${what} cannot be used`);
  }
}
