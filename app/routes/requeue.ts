import { redirect } from "react-router";
import { appContext } from "~/cloudflare";
import { jobAddress } from "~/domain/addresses";
import { requeue } from "~/lifecycle/requeue";
import type { Route } from "./+types/requeue";
import { acting } from "./support/answer.server";

export const loader = ({ params }: Route.LoaderArgs) => redirect(jobAddress(params.id));

export function action({ request, params: { id }, context }: Route.ActionArgs) {
  const app = context.get(appContext);
  return acting(request, app, id, async (form) => {
    const generation = Number(form.get("generation")) || undefined;
    const done = await requeue(app.engine, { id, generation }, { actor: app.identity.name });
    switch (done.kind) {
      case "requeued":
        return { code: "requeued", jobId: id, generation: done.generation };
      case "refused":
        return { code: "requeue-refused", jobId: id, state: done.state, generation: done.generation };
      case "not-found":
        return { code: "unknown-job", jobId: id };
    }
  });
}
