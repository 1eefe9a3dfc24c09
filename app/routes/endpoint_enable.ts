import { redirect } from "react-router";
import { appContext } from "~/cloudflare";
import { endpointAddress } from "~/domain/webhooks/webhooks";
import { enable } from "~/lifecycle/webhooks/endpoints";
import type { Route } from "./+types/endpoint_enable";
import { reading } from "./support/read.server";

export const loader = ({ params }: Route.LoaderArgs) => redirect(endpointAddress(params.id));

export async function action({ params: { id }, context }: Route.ActionArgs) {
  const app = context.get(appContext);
  await reading(app, "enable", () => enable(app.engine, id, { actor: app.identity.name }));
  return redirect(endpointAddress(id), { status: 303 });
}
