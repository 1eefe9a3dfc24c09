import { redirect } from "react-router";
import { appContext } from "~/cloudflare";
import { RuleForm } from "~/components/alerts/rule_form";
import { PageHeader } from "~/components/shell/page_header";
import { Card } from "~/components/ui/card";
import { TextLink } from "~/components/ui/text_link";
import { EMPTY_RULE } from "~/domain/alerts/form";
import { createRule } from "~/lifecycle/alerts/edit_rule";
import type { Route } from "./+types/alert_new";
import { Refused } from "./support/refused";
import { saveRuleForm } from "./support/rule_form.server";

export const meta: Route.MetaFunction = () => [{ title: "New rule · Redrive" }];

export function loader({ context }: Route.LoaderArgs) {
  const { engine } = context.get(appContext);
  return { id: engine.newId(), kinds: [...engine.kinds.keys()] };
}

export async function action({ request, context }: Route.ActionArgs) {
  const app = context.get(appContext);
  const { origin } = new URL(request.url);
  const done = await saveRuleForm(request, app, (call, { id }) =>
    createRule(app.engine, call, { origin, id }, { actor: app.identity.name }),
  );
  if ("saved" in done && done.saved) throw redirect("/alerts", { status: 303 });
  return done;
}

export default function NewRule({ loaderData, actionData }: Route.ComponentProps) {
  const refused = actionData && "problems" in actionData ? actionData : null;
  return (
    <>
      <nav aria-label="Breadcrumb" className="-mb-2 text-sm">
        <TextLink to="/alerts">Alerts</TextLink>
      </nav>
      <PageHeader title="New rule" lead="It is asked every minute." />
      <Refused problems={refused?.problems ?? []} />
      <Card>
        <RuleForm
          id={refused?.id ?? loaderData.id}
          values={refused?.fields ?? EMPTY_RULE}
          problems={refused?.problems ?? []}
          kinds={loaderData.kinds}
          label="Create rule"
        />
      </Card>
    </>
  );
}
