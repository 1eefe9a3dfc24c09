import { redirect } from "react-router";
import { appContext } from "~/cloudflare";
import { REPLAY } from "~/domain/dead/letter_calls";
import { lettersAddress } from "~/domain/dead/letters";
import { replayLetter } from "~/lifecycle/replay";
import type { Route } from "./+types/dead_letter_replay";
import { telling } from "./support/answer.server";

export const loader = () => redirect(lettersAddress());

export function action({ request, context }: Route.ActionArgs) {
  const app = context.get(appContext);
  return telling(request, app, lettersAddress(), async (form) => {
    const asked = REPLAY.safeParse({ messageId: form.get("messageId"), queue: form.get("queue") });
    if (!asked.success) return { code: "letter-unknown", jobId: null };
    const done = await replayLetter(app.engine, asked.data, { actor: app.identity.name });
    if (done.kind === "replayed") return { code: "letter-replayed", jobId: done.jobId };
    return { code: done.kind === "refused" ? "letter-refused" : "letter-unknown", jobId: null };
  });
}
