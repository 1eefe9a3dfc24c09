import type { App } from "~/cloudflare";
import { REASON_CHARS } from "~/domain/limits";
import type { Engine } from "~/lifecycle/engine";
import type { Paused } from "~/lifecycle/limits/pause_kind";
import type { By } from "~/store/reopen";
import { telling } from "./answer.server";

const CODES = {
  "as-it-was": "kind-as-it-was",
  "not-found": "kind-refused",
  "never-held": "kind-refused",
  wrong: "kind-limits-wrong",
} as const;

/** What a form does with a kind: pause it, resume it, set its limits. `wrong`: its fields hold what cannot be. */
type Act = (engine: Engine, kind: string, by: By, form: FormData) => Promise<Paused | { kind: "wrong" }>;

export const kindAction = (
  request: Request,
  app: App,
  kind: string,
  act: Act,
  done: "kind-paused" | "kind-resumed" | "kind-limited",
) =>
  telling(request, app, "/kinds", async (form) => {
    const reason =
      String(form.get("reason") ?? "")
        .trim()
        .slice(0, REASON_CHARS) || undefined;
    const { kind: came } = await act(app.engine, kind, { actor: app.identity.name, reason }, form);
    return { code: came === "changed" ? done : CODES[came], jobId: null };
  });
