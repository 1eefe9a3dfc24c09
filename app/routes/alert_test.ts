import { redirect } from "react-router";
import { appContext } from "~/cloudflare";
import { ruleAddress } from "~/domain/alerts/words";
import { idTime } from "~/domain/ids";
import { testRule } from "~/lifecycle/alerts/edit_rule";
import type { Route } from "./+types/alert_test";
import { formOf } from "./support/answer.server";
import { reading } from "./support/read.server";

export const loader = ({ params }: Route.LoaderArgs) => redirect(ruleAddress(params.id));

/** Its jobs stand in the history below. Pressing twice sends one test. */
export async function action({ request, params: { id }, context }: Route.ActionArgs) {
  const app = context.get(appContext);
  const given = String((await formOf(request)).get("form") ?? "");
  const form = idTime(given) === null ? app.engine.newId() : given;
  await reading(app, "test rule", () => testRule(app.engine, id, { actor: app.identity.name }, form));
  return redirect("/alerts", { status: 303 });
}
