import { redirect } from "react-router";
import { appContext } from "~/cloudflare";
import { watchAddress } from "~/domain/watches/words";
import { resumeChecks } from "~/lifecycle/watches/pause";
import type { Route } from "./+types/watch_resume";
import { reading } from "./support/read.server";

export const loader = ({ params }: Route.LoaderArgs) => redirect(watchAddress(params.id));

export async function action({ params: { id }, context }: Route.ActionArgs) {
  const app = context.get(appContext);
  await reading(app, "resume watch", () => resumeChecks(app.engine, id, { actor: app.identity.name }));
  return redirect(watchAddress(id), { status: 303 });
}
