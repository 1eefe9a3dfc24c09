import { redirect } from "react-router";
import { appContext } from "~/cloudflare";
import { pauseKind } from "~/lifecycle/limits/pause_kind";
import type { Route } from "./+types/kind_pause";
import { kindAction } from "./support/kind_action.server";

export const loader = () => redirect("/kinds");

export const action = ({ request, params: { id }, context }: Route.ActionArgs) =>
  kindAction(request, context.get(appContext), id, pauseKind, "kind-paused");
