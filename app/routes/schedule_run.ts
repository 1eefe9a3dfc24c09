import { redirect } from "react-router";
import { appContext } from "~/cloudflare";
import { scheduleAddress } from "~/domain/schedules/words";
import { run } from "~/lifecycle/schedules/run";
import type { Route } from "./+types/schedule_run";
import { isFormId } from "./support/form_state.server";
import { actingOn } from "./support/schedule_action.server";

export const loader = ({ params }: Route.LoaderArgs) => redirect(scheduleAddress(params.id));

export function action({ request, params: { id }, context }: Route.ActionArgs) {
  const app = context.get(appContext);
  return actingOn(request, app, id, async (by, form) => {
    const key = form.get("form");
    const done = await run(app.engine, { id, key: isFormId(key) ? key : undefined }, by);
    switch (done.kind) {
      case "made":
        return { code: done.replayed ? "ran-before" : "ran-now", jobId: done.jobId };
      case "busy":
        return { code: "run-busy", jobId: done.jobId };
      case "rejected":
        return { code: "run-refused", jobId: null };
      case "not-found":
        return null;
    }
  });
}
