import type { App } from "~/cloudflare";
import { REASON_CHARS } from "~/domain/limits";
import type { Paused, pauseKind } from "~/lifecycle/pause_kind";
import { telling } from "./answer.server";

const CODES = {
  "as-it-was": "kind-as-it-was",
  "not-found": "kind-refused",
  "never-held": "kind-refused",
} as const satisfies Partial<Record<Paused["kind"], string>>;

/** Pauses or resumes a kind from its form. */
export const kindAction = (
  request: Request,
  app: App,
  kind: string,
  act: typeof pauseKind,
  done: "kind-paused" | "kind-resumed",
) =>
  telling(request, app, "/kinds", async (form) => {
    const reason =
      String(form.get("reason") ?? "")
        .trim()
        .slice(0, REASON_CHARS) || undefined;
    const { kind: came } = await act(app.engine, kind, { actor: app.identity.name, reason });
    return { code: came === "changed" ? done : CODES[came], jobId: null };
  });
