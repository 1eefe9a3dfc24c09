import { redirect } from "react-router";
import { appContext } from "~/cloudflare";
import { operationAddress } from "~/domain/addresses";
import { abortBulk } from "~/lifecycle/bulk";
import type { Route } from "./+types/operation_abort";
import { telling } from "./support/answer.server";

export const loader = ({ params }: Route.LoaderArgs) => redirect(operationAddress(params.id));

export function action({ request, params: { id }, context }: Route.ActionArgs) {
  const app = context.get(appContext);
  return telling(request, app, operationAddress(id), async () => {
    const done = await abortBulk(app.engine, id, { actor: app.identity.name });
    return { code: done?.mine ? "bulk-aborted" : "bulk-over", jobId: null, operation: id };
  });
}
