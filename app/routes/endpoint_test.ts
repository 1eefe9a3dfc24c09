import { data, redirect } from "react-router";
import { appContext } from "~/cloudflare";
import { jobAddress } from "~/domain/addresses";
import { endpointAddress } from "~/domain/webhooks/webhooks";
import { sendTest } from "~/lifecycle/webhooks/send_test";
import type { Route } from "./+types/endpoint_test";
import { formOf } from "./support/answer.server";
import { reading } from "./support/read.server";

export const loader = ({ params }: Route.LoaderArgs) => redirect(endpointAddress(params.id));

export async function action({ request, params: { id }, context }: Route.ActionArgs) {
  const app = context.get(appContext);
  const form = String((await formOf(request)).get("form") ?? "");
  const jobId = await reading(app, "test event", () => sendTest(app.engine, id, form, { actor: app.identity.name }));
  if (jobId === null) throw data({ reason: "no-such-endpoint" }, { status: 404 });
  return redirect(jobAddress(jobId), { status: 303 });
}
