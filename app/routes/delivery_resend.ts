import { data, redirect } from "react-router";
import { appContext } from "~/cloudflare";
import { jobAddress, safePath } from "~/domain/addresses";
import { noticeCookie } from "~/domain/notices";
import { parseWebhookId } from "~/domain/webhooks/webhooks";
import { resend } from "~/lifecycle/webhooks/resend";
import type { Route } from "./+types/delivery_resend";
import { formOf } from "./support/answer.server";
import { reading } from "./support/read.server";

export const loader = ({ params }: Route.LoaderArgs) => {
  const which = parseWebhookId(params.id);
  return redirect(which ? jobAddress(which.fanoutId) : "/endpoints");
};

/** Leads to the job that sends it; where none does, back with the reason. */
export async function action({ request, params, context }: Route.ActionArgs) {
  const app = context.get(appContext);
  const form = await formOf(request);
  const which = parseWebhookId(params.id);
  const by = { actor: app.identity.name };
  const done = which && (await reading(app, "resend", () => resend(app.engine, which.fanoutId, which.n, by)));
  if (!done || done.kind === "not-found") throw data({ reason: "no-such-delivery" }, { status: 404 });
  const event = jobAddress(which.fanoutId);
  return done.kind === "resent"
    ? told(jobAddress(done.jobId), noticeCookie({ code: "resent", jobId: done.jobId }))
    : told(safePath(form.get("back"), event), noticeCookie({ code: "resend-refused", jobId: which.fanoutId }));
}

const told = (to: string, cookie: string) => redirect(to, { status: 303, headers: { "Set-Cookie": cookie } });
