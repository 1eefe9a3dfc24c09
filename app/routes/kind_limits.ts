import { redirect } from "react-router";
import { appContext } from "~/cloudflare";
import { limitsOfForm } from "~/domain/limit_call";
import { limitKind } from "~/lifecycle/limits/limit_kind";
import type { Route } from "./+types/kind_limits";
import { kindAction } from "./support/kind_action.server";

export const loader = () => redirect("/kinds");

export const action = ({ request, params: { id }, context }: Route.ActionArgs) =>
  kindAction(
    request,
    context.get(appContext),
    id,
    async (engine, kind, by, form) => {
      const asked = limitsOfForm(form);
      return asked ? limitKind(engine, kind, asked.limits, by) : { kind: "wrong" };
    },
    "kind-limited",
  );
