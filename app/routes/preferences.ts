import { redirect } from "react-router";
import { safePath } from "~/domain/addresses";
import { preferencesCookie, preferencesOf, withChange } from "~/domain/shell/preferences";
import type { Route } from "./+types/preferences";
import { asksForData, formOf } from "./support/answer.server";

export const loader = () => redirect("/");

export async function action({ request }: Route.ActionArgs) {
  const form = await formOf(request);
  const preferences = withChange(preferencesOf(request.headers.get("cookie")), form);
  const headers = { "Set-Cookie": preferencesCookie(preferences) };
  if (asksForData(request)) return Response.json(preferences, { headers });
  return redirect(safePath(form.get("back"), "/"), { status: 303, headers });
}
