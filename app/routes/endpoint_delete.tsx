import { data, redirect } from "react-router";
import { appContext } from "~/cloudflare";
import { PostForm } from "~/components/post_form";
import { PageHeader } from "~/components/shell/page_header";
import { Button, LinkButton } from "~/components/ui/button";
import { Card } from "~/components/ui/card";
import { endpointAddress } from "~/domain/webhooks/webhooks";
import { remove } from "~/lifecycle/webhooks/endpoints";
import { readEndpoint } from "~/store/reads/webhooks";
import type { Route } from "./+types/endpoint_delete";
import { reading } from "./support/read.server";

export const meta: Route.MetaFunction = () => [{ title: "Delete endpoint · Redrive" }];

export async function loader({ params, context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const endpoint = await reading(app, "endpoint", () => readEndpoint(app.engine.store, params.id, app.identity));
  if (!endpoint) throw data({ reason: "no-such-endpoint" }, { status: 404 });
  return { name: endpoint.name, target: endpoint.target };
}

export async function action({ params: { id }, context }: Route.ActionArgs) {
  const app = context.get(appContext);
  await reading(app, "delete", () => remove(app.engine, id, { actor: app.identity.name }));
  throw redirect("/endpoints", { status: 303 });
}

export default function Delete({ loaderData, params }: Route.ComponentProps) {
  return (
    <>
      <PageHeader title={`Delete ${loaderData.name}?`} lead={loaderData.target} />
      <Card>
        <PostForm className="flex flex-col items-start gap-4">
          <p>
            It gets nothing more, what is being retried included. Its secret and headers are gone. What it was sent
            stays on the pages of its events.
          </p>
          <div className="flex flex-wrap gap-2">
            <Button type="submit" variant="secondary-destructive">
              Delete endpoint
            </Button>
            <LinkButton to={endpointAddress(params.id)}>Keep it</LinkButton>
          </div>
        </PostForm>
      </Card>
    </>
  );
}
