import { data, redirect } from "react-router";
import { appContext } from "~/cloudflare";
import { PostForm } from "~/components/post_form";
import { PageHeader } from "~/components/shell/page_header";
import { Button, LinkButton } from "~/components/ui/button";
import { Card } from "~/components/ui/card";
import { ruleAddress } from "~/domain/alerts/words";
import { remove } from "~/lifecycle/alerts/edit_rule";
import { findRule } from "~/store/alerts/alerts";
import type { Route } from "./+types/alert_delete";
import { reading } from "./support/read.server";

export const meta: Route.MetaFunction = () => [{ title: "Delete rule · Redrive" }];

export async function loader({ params, context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const rule = await reading(app, "rule", () => findRule(app.engine.store, params.id));
  if (!rule) throw data({ reason: "no-such-rule" }, { status: 404 });
  return { name: rule.name };
}

export async function action({ params: { id }, context }: Route.ActionArgs) {
  const app = context.get(appContext);
  await reading(app, "delete rule", () => remove(app.engine, id, { actor: app.identity.name }));
  throw redirect("/alerts", { status: 303 });
}

export default function Delete({ loaderData, params }: Route.ComponentProps) {
  return (
    <>
      <PageHeader title={`Delete ${loaderData.name}?`} />
      <Card>
        <PostForm className="flex flex-col items-start gap-4">
          <p>It is asked no more, and what is open of it ends without a word. What it told stays in the history.</p>
          <div className="flex flex-wrap gap-2">
            <Button type="submit" variant="secondary-destructive">
              Delete rule
            </Button>
            <LinkButton to={ruleAddress(params.id)}>Keep it</LinkButton>
          </div>
        </PostForm>
      </Card>
    </>
  );
}
