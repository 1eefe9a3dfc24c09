import { data, redirect } from "react-router";
import { appContext } from "~/cloudflare";
import { PostForm } from "~/components/post_form";
import { PageHeader } from "~/components/shell/page_header";
import { Button, LinkButton } from "~/components/ui/button";
import { Card } from "~/components/ui/card";
import { watchAddress } from "~/domain/watches/words";
import { removeWatchAndHistory } from "~/lifecycle/watches/edit";
import { findWatch } from "~/store/watches/watches";
import type { Route } from "./+types/watch_delete";
import { reading } from "./support/read.server";

export const meta: Route.MetaFunction = () => [{ title: "Delete watch · Redrive" }];

export async function loader({ params, context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const watch = await reading(app, "watch", () => findWatch(app.engine.store, params.id));
  if (!watch) throw data({ reason: "no-such-watch" }, { status: 404 });
  return { name: watch.name, url: watch.url };
}

export async function action({ params: { id }, context }: Route.ActionArgs) {
  const app = context.get(appContext);
  const by = { actor: app.identity.name };
  await reading(app, "delete watch", () => removeWatchAndHistory(app.engine, id, by));
  throw redirect("/watches", { status: 303 });
}

export default function Delete({ loaderData, params }: Route.ComponentProps) {
  return (
    <>
      <PageHeader title={`Delete ${loaderData.name}?`} lead={loaderData.url} />
      <Card>
        <PostForm className="flex flex-col items-start gap-4">
          <p>It looks no more, and its history is gone. Jobs that it made stay.</p>
          <div className="flex flex-wrap gap-2">
            <Button type="submit" variant="secondary-destructive">
              Delete watch
            </Button>
            <LinkButton to={watchAddress(params.id)}>Keep it</LinkButton>
          </div>
        </PostForm>
      </Card>
    </>
  );
}
