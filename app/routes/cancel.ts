import { redirect } from "react-router";
import { appContext } from "~/cloudflare";
import { jobAddress } from "~/domain/addresses";
import { cancel } from "~/lifecycle/cancel";
import type { Route } from "./+types/cancel";
import { acting } from "./support/answer.server";

export const loader = ({ params }: Route.LoaderArgs) => redirect(jobAddress(params.id));

export function action({ request, params: { id }, context }: Route.ActionArgs) {
  const app = context.get(appContext);
  return acting(request, app, id, async () => {
    const done = await cancel(app.engine, { id }, { actor: app.identity.name });
    switch (done.kind) {
      case "cancelled":
        return { code: "cancelled", jobId: id };
      case "requested":
        return { code: "cancel-requested", jobId: id };
      case "refused":
        return { code: "cancel-refused", jobId: id, state: done.state };
      case "not-found":
        return { code: "unknown-job", jobId: id };
    }
  });
}
