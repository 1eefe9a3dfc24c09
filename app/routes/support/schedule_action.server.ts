import { redirect } from "react-router";
import type { App } from "~/cloudflare";
import { safePath } from "~/domain/addresses";
import { type NoticeCode, noticeCookie } from "~/domain/notices";
import { scheduleAddress } from "~/domain/schedules/words";
import type { By } from "~/store/reopen";
import { asksForData, formOf, told } from "./answer.server";

/** Runs an action on a schedule. What it did shows on the page by itself; what the page cannot show is told. */
export async function actingOn(
  request: Request,
  app: App,
  id: string,
  act: (by: By, form: FormData) => Promise<NoticeCode | null>,
) {
  const form = await formOf(request);
  const notice = await told(app, null, () => act({ actor: app.identity.name }, form));
  if (asksForData(request)) return Response.json({ notice });
  return redirect(safePath(form.get("back"), scheduleAddress(id)), {
    status: 303,
    headers: notice ? { "Set-Cookie": noticeCookie(notice) } : {},
  });
}
