import { redirect } from "react-router";
import type { App } from "~/cloudflare";
import { safePath } from "~/domain/addresses";
import { type NoticeCode, noticeCookie } from "~/domain/notices";
import { scheduleAddress } from "~/domain/schedules/words";
import { isUnreachable } from "~/store/errors";
import type { By } from "~/store/reopen";
import { asksForData, formOf } from "./answer.server";

/** Runs an action on a schedule. What it did shows on the page by itself; what the page cannot show is told. */
export async function actingOn(
  request: Request,
  app: App,
  id: string,
  act: (by: By, form: FormData) => Promise<NoticeCode | null>,
) {
  const form = await formOf(request);
  const notice = await told(app, () => act({ actor: app.identity.name }, form));
  if (asksForData(request)) return Response.json({ notice });
  return redirect(safePath(form.get("back"), scheduleAddress(id)), {
    status: 303,
    headers: notice ? { "Set-Cookie": noticeCookie(notice) } : {},
  });
}

async function told(app: App, act: () => Promise<NoticeCode | null>): Promise<NoticeCode | null> {
  try {
    return await act();
  } catch (error) {
    if (!isUnreachable(error)) throw error;
    app.engine.events({ event: "database.unreachable", step: "action of a page", error: String(error) });
    return { code: "unreachable", jobId: null };
  }
}
