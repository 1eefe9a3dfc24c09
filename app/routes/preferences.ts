import { data, redirect } from "react-router";
import { safePath } from "~/domain/addresses";
import { preferencesCookie, preferencesOf, withChange } from "~/domain/preferences";
import type { Route } from "./+types/preferences";
import { formOf } from "./support/answer.server";

export const loader = () => redirect("/");

export async function action({ request }: Route.ActionArgs) {
  const form = await formOf(request);
  const cookie = preferencesCookie(withChange(preferencesOf(request.headers.get("cookie")), form));
  const headers = { "Set-Cookie": cookie };
  if (new URL(request.url).pathname.endsWith(".data")) return data(null, { headers });
  return redirect(safePath(form.get("back"), "/"), { status: 303, headers });
}
