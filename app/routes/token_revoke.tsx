import { redirect } from "react-router";
import { appContext } from "~/cloudflare";
import { PostForm } from "~/components/post_form";
import { PageHeader } from "~/components/shell/page_header";
import { Button, LinkButton } from "~/components/ui/button";
import { Card } from "~/components/ui/card";
import { TOKENS_ADDRESS } from "~/domain/people/tokens";
import { revokeToken } from "~/lifecycle/people/tokens";
import { listTokens } from "~/store/people/tokens";
import type { Route } from "./+types/token_revoke";
import { reading } from "./support/read.server";

export const meta: Route.MetaFunction = () => [{ title: "Revoke token · Redrive" }];

export async function loader({ params, context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const tokens = await reading(app, "tokens", () => listTokens(app.engine.store));
  const token = tokens.find(({ id }) => id === params.id);
  if (!token) throw redirect(TOKENS_ADDRESS);
  return { name: token.name };
}

export async function action({ params: { id }, context }: Route.ActionArgs) {
  const app = context.get(appContext);
  await reading(app, "tokens", () => revokeToken(app.engine, id, { actor: app.identity.name }));
  throw redirect(TOKENS_ADDRESS, { status: 303 });
}

export default function Revoke({ loaderData }: Route.ComponentProps) {
  return (
    <>
      <PageHeader title={`Revoke ${loaderData.name}?`} />
      <Card>
        <PostForm className="flex flex-col items-start gap-4">
          <p>From now on it lets nobody in. Whoever has signed in with it is signed out.</p>
          <div className="flex flex-wrap gap-2">
            <Button type="submit" variant="secondary-destructive">
              Revoke token
            </Button>
            <LinkButton to={TOKENS_ADDRESS}>Keep it</LinkButton>
          </div>
        </PostForm>
      </Card>
    </>
  );
}
