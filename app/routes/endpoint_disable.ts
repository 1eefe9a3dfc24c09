import { redirect } from "react-router";
import { appContext } from "~/cloudflare";
import { endpointAddress } from "~/domain/webhooks/webhooks";
import { disable } from "~/lifecycle/webhooks/endpoints";
import type { Route } from "./+types/endpoint_disable";
import { reading } from "./support/read.server";

export const loader = ({ params }: Route.LoaderArgs) => redirect(endpointAddress(params.id));

export async function action({ params: { id }, context }: Route.ActionArgs) {
  const app = context.get(appContext);
  const { name } = app.identity;
  await reading(app, "disable", () => disable(app.engine, id, { actor: name, reason: `by ${name}` }));
  return redirect(endpointAddress(id), { status: 303 });
}
