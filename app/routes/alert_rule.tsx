import { data, redirect } from "react-router";
import { appContext } from "~/cloudflare";
import { DoneHere } from "~/components/activity/done_here";
import { RuleForm } from "~/components/alerts/rule_form";
import { PostForm } from "~/components/post_form";
import { PageHeader } from "~/components/shell/page_header";
import { Button, LinkButton } from "~/components/ui/button";
import { Card } from "~/components/ui/card";
import { TextLink } from "~/components/ui/text_link";
import { fieldsOfRule } from "~/domain/alerts/form";
import { ruleAddress } from "~/domain/alerts/words";
import { updateRule } from "~/lifecycle/alerts/edit_rule";
import { findRule } from "~/store/alerts/alerts";
import type { Route } from "./+types/alert_rule";
import { reading } from "./support/read.server";
import { Refused } from "./support/refused";
import { saveRuleForm } from "./support/rule_form.server";

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: loaderData ? `${loaderData.fields.name} · Redrive` : "No such rule · Redrive" },
];

export async function loader({ params, context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const rule = await reading(app, "rule", () => findRule(app.engine.store, params.id));
  if (!rule) throw data({ reason: "no-such-rule" }, { status: 404 });
  return { fields: fieldsOfRule(rule), on: rule.disabledAt === null, kinds: [...app.engine.kinds.keys()] };
}

export async function action({ request, params, context }: Route.ActionArgs) {
  const app = context.get(appContext);
  const { origin } = new URL(request.url);
  const done = await saveRuleForm(request, app, (call, { version }) =>
    updateRule(app.engine, { id: params.id, version }, call, origin, { actor: app.identity.name }),
  );
  if ("saved" in done && done.saved) throw redirect("/alerts", { status: 303 });
  return done;
}

export default function AlertRule({ loaderData, actionData, params }: Route.ComponentProps) {
  const refused = actionData && "problems" in actionData ? actionData : null;
  const address = ruleAddress(params.id);
  return (
    <>
      <nav aria-label="Breadcrumb" className="-mb-2 text-sm">
        <TextLink to="/alerts">Alerts</TextLink>
      </nav>
      <PageHeader
        title={loaderData.fields.name}
        lead={
          <>
            {loaderData.on ? "It is asked every minute." : "It is off."} <DoneHere object={params.id} className="" />
          </>
        }
      >
        <PostForm action={`${address}/${loaderData.on ? "disable" : "enable"}`}>
          <Button type="submit">{loaderData.on ? "Disable" : "Enable"}</Button>
        </PostForm>
        <LinkButton to={`${address}/delete`} variant="secondary-destructive">
          Delete
        </LinkButton>
      </PageHeader>
      <Refused problems={refused?.problems ?? []} />
      <Card>
        <RuleForm
          id={params.id}
          values={refused?.fields ?? loaderData.fields}
          problems={refused?.problems ?? []}
          kinds={loaderData.kinds}
          label="Save rule"
        />
      </Card>
    </>
  );
}
