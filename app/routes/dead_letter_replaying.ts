import { redirect } from "react-router";
import { appContext } from "~/cloudflare";
import { REPLAYING } from "~/domain/dead/letter_calls";
import { lettersAddress } from "~/domain/dead/letters";
import { replayFor } from "~/lifecycle/replay";
import type { Route } from "./+types/dead_letter_replaying";
import { telling } from "./support/answer.server";

export const loader = () => redirect(lettersAddress());

export function action({ request, context }: Route.ActionArgs) {
  const app = context.get(appContext);
  return telling(request, app, lettersAddress(), async (form) => {
    const asked = REPLAYING.safeParse({ minutes: Number(form.get("minutes") ?? Number.NaN) });
    if (!asked.success) return { code: "replaying-refused", jobId: null };
    const until = await replayFor(app.engine, asked.data.minutes, { actor: app.identity.name });
    return { code: until === null ? "replaying-off" : "replaying-on", jobId: null };
  });
}
