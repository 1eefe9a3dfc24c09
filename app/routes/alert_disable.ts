import { redirect } from "react-router";
import { appContext } from "~/cloudflare";
import { ruleAddress } from "~/domain/alerts/words";
import { disable } from "~/lifecycle/alerts/edit_rule";
import type { Route } from "./+types/alert_disable";
import { reading } from "./support/read.server";

export const loader = ({ params }: Route.LoaderArgs) => redirect(ruleAddress(params.id));

export async function action({ params: { id }, context }: Route.ActionArgs) {
  const app = context.get(appContext);
  await reading(app, "disable rule", () => disable(app.engine, id, { actor: app.identity.name }));
  return redirect(ruleAddress(id), { status: 303 });
}
