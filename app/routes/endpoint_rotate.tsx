import { data, redirect } from "react-router";
import { appContext } from "~/cloudflare";
import { PostForm } from "~/components/post_form";
import { PageHeader } from "~/components/shell/page_header";
import { Button, LinkButton } from "~/components/ui/button";
import { Card } from "~/components/ui/card";
import { SecretOnce } from "~/components/webhooks/secret_once";
import { newSecret, secretProblem } from "~/domain/webhooks/signature";
import { endpointAddress } from "~/domain/webhooks/webhooks";
import { rotate } from "~/lifecycle/webhooks/endpoints";
import { readEndpoint } from "~/store/reads/webhooks";
import { lastRotation } from "~/store/webhooks/rotation";
import type { Route } from "./+types/endpoint_rotate";
import { formOf } from "./support/answer.server";
import { reading } from "./support/read.server";

export const meta: Route.MetaFunction = () => [{ title: "Rotate secret · Redrive" }];

export async function loader({ params, context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const [endpoint, since] = await reading(app, "endpoint", () =>
    Promise.all([readEndpoint(app.engine.store, params.id, app.identity), lastRotation(app.engine.store, params.id)]),
  );
  if (!endpoint) throw data({ reason: "no-such-endpoint" }, { status: 404 });
  return { name: endpoint.name, target: endpoint.target, secret: newSecret(), since };
}

/**
 * The form brings its secret along: sent twice, or again after a lost answer, it rotates once and shows the same one; sent again
 * after a later rotation, it changes nothing.
 */
export async function action({ request, params: { id }, context }: Route.ActionArgs) {
  const app = context.get(appContext);
  const form = await formOf(request);
  const given = String(form.get("secret") ?? "");
  const since = /^\d{1,15}$/.test(String(form.get("since"))) ? Number(form.get("since")) : NEVER;
  const secret = secretProblem(given) === null ? given : newSecret();
  const done = await reading(app, "rotate", () => rotate(app.engine, id, { actor: app.identity.name }, secret, since));
  if (done.kind !== "rotated") throw redirect(endpointAddress(id), { status: 303 });
  return { secret: done.secret };
}

/** No rotation has this number: a form that does not tell its own rotates nothing. */
const NEVER = -1;

export default function Rotate({ loaderData, actionData, params }: Route.ComponentProps) {
  return (
    <>
      <PageHeader title={`Rotate the secret of ${loaderData.name}`} lead={loaderData.target} />
      {actionData ? (
        <SecretOnce title="Rotated. This is the new secret" secret={actionData.secret}>
          Give it to the receiver within 24 hours: until then the one before signs as well. It is not shown again.
        </SecretOnce>
      ) : (
        <Card>
          <PostForm className="flex flex-col items-start gap-4">
            <input type="hidden" name="secret" value={loaderData.secret} />
            <input type="hidden" name="since" value={loaderData.since} />
            <p>
              A new secret signs from now on. For 24 hours the one in force now signs beside it, so the receiver can
              change over without missing anything. A rotation within that time drops the older one.
            </p>
            <Button type="submit" variant="primary">
              Rotate secret
            </Button>
          </PostForm>
        </Card>
      )}
      <div>
        <LinkButton to={endpointAddress(params.id)}>Back to the endpoint</LinkButton>
      </div>
    </>
  );
}
