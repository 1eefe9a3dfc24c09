import { data, redirect } from "react-router";
import type { App } from "~/cloudflare";
import { jobAddress, safePath } from "~/domain/addresses";
import { readBytes } from "~/domain/body";
import { PAGE_FORM_BYTES } from "~/domain/limits";
import { type NoticeCode, noticeCookie } from "~/domain/notices";
import { isUnreachable } from "~/store/errors";

/**
 * Runs an action on a job and tells what came of it: to the script that asked as data, to a plain form on the page that
 * it goes back to.
 */
export const acting = (request: Request, app: App, jobId: string, act: (form: FormData) => Promise<NoticeCode>) =>
  telling(request, app, jobAddress(jobId), act, jobId);

/** The same for what is no job: `home` is where a form goes back to that does not say. */
export async function telling(
  request: Request,
  app: App,
  home: string,
  act: (form: FormData) => Promise<NoticeCode>,
  jobId: string | null = null,
) {
  const form = await formOf(request);
  const notice = await told(app, jobId, () => act(form));
  if (asksForData(request)) return Response.json(notice);
  return redirect(safePath(form.get("back"), home), {
    status: 303,
    headers: { "Set-Cookie": noticeCookie(notice) },
  });
}

/** A script of ours that stays on its page, and wants to know. */
export const asksForData = (request: Request): boolean => request.headers.get("accept") === "application/json";

/** A body that is no form, or over `cap` bytes, is its sender's mistake. */
export async function formOf(request: Request, cap = PAGE_FORM_BYTES): Promise<FormData> {
  const bytes = await readBytes(request, cap);
  if (bytes === null) throw data({ reason: "form-too-large" }, { status: 413 });
  try {
    return await new Response(bytes, {
      headers: { "Content-Type": request.headers.get("content-type") ?? "" },
    }).formData();
  } catch {
    throw data({ reason: "no-form" }, { status: 400 });
  }
}

/** What an action of a page has to tell; where D1 was out of reach, that. `jobId`: what it was about. */
export async function told<T>(app: App, jobId: string | null, act: () => Promise<T>): Promise<T | NoticeCode> {
  try {
    return await act();
  } catch (error) {
    if (!isUnreachable(error)) throw error;
    app.engine.events({ event: "database.unreachable", step: "action of a page", error: String(error) });
    return { code: "unreachable", jobId };
  }
}
