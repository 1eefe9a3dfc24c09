import { redirect } from "react-router";
import { appContext } from "~/cloudflare";
import { noticeCookie } from "~/domain/notices";
import { watchAddress } from "~/domain/watches/words";
import { checkNow } from "~/lifecycle/watches/pause";
import type { Route } from "./+types/watch_check";
import { reading } from "./support/read.server";

export const loader = ({ params }: Route.LoaderArgs) => redirect(watchAddress(params.id));

/** Its job shows on the page by itself; that none was made is told. */
export async function action({ params: { id }, context }: Route.ActionArgs) {
  const app = context.get(appContext);
  const done = await reading(app, "check", () => checkNow(app.engine, id, { actor: app.identity.name }));
  const busy: Record<string, string> =
    done.kind === "under-way" ? { "Set-Cookie": noticeCookie({ code: "check-under-way", jobId: null }) } : {};
  return redirect(watchAddress(id), { status: 303, headers: busy });
}
