import { redirect } from "react-router";
import { appContext } from "~/cloudflare";
import { DAILY_LIMIT, SUBMITTER } from "~/domain/actions";
import { setDailyLimit } from "~/lifecycle/limits/set_limit";
import type { Route } from "./+types/settings_limit";
import { formOf } from "./support/answer.server";
import { reading } from "./support/read.server";

export const loader = () => redirect("/settings");

export async function action({ request, context }: Route.ActionArgs) {
  const app = context.get(appContext);
  const form = await formOf(request);
  const name = SUBMITTER.safeParse(form.get("name"));
  const text = String(form.get("dailyLimit") ?? "").trim();
  const asked = DAILY_LIMIT.safeParse({
    dailyLimit: text === "" ? null : /^\d+$/.test(text) ? Number(text) : Number.NaN,
  });
  if (!asked.success || !name.success) return redirect("/settings?wrong", 303);
  await reading(app, "settings", () =>
    setDailyLimit(app.engine, name.data, asked.data.dailyLimit, { actor: app.identity.name }),
  );
  return redirect("/settings", 303);
}
