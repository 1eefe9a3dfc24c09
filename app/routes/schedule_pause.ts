import { redirect } from "react-router";
import { appContext } from "~/cloudflare";
import { scheduleAddress } from "~/domain/schedules/words";
import { pause } from "~/lifecycle/schedules/pause";
import type { Route } from "./+types/schedule_pause";
import { actingOn } from "./support/schedule_action.server";

export const loader = ({ params }: Route.LoaderArgs) => redirect(scheduleAddress(params.id));

export function action({ request, params: { id }, context }: Route.ActionArgs) {
  const app = context.get(appContext);
  return actingOn(request, app, id, async (by) => {
    await pause(app.engine, id, by);
    return null;
  });
}
