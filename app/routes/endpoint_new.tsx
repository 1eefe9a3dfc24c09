import { data, redirect } from "react-router";
import { appContext } from "~/cloudflare";
import { PageHeader } from "~/components/shell/page_header";
import { Banner } from "~/components/ui/banner";
import { LinkButton } from "~/components/ui/button";
import { Card } from "~/components/ui/card";
import { TextLink } from "~/components/ui/text_link";
import { EndpointForm } from "~/components/webhooks/endpoint_form";
import { SecretOnce } from "~/components/webhooks/secret_once";
import type { EndpointFields } from "~/domain/webhooks/endpoint_form";
import { newSecret } from "~/domain/webhooks/signature";
import { endpointAddress } from "~/domain/webhooks/webhooks";
import type { Route } from "./+types/endpoint_new";
import { saveForm } from "./support/endpoint_form.server";

export const meta: Route.MetaFunction = () => [{ title: "New endpoint · Redrive" }];

/** The form's id becomes the endpoint's, and its secret the endpoint's: sent twice, it saves one and shows the same. */
export const loader = ({ context }: Route.LoaderArgs) => ({
  id: context.get(appContext).engine.newId(),
  made: newSecret(),
});

export async function action({ request, context }: Route.ActionArgs) {
  const saved = await saveForm(request, context.get(appContext));
  if (saved.kind === "exists") throw redirect(endpointAddress(saved.id), { status: 303 });
  return saved.kind === "refused" ? data(saved, { status: saved.status }) : saved;
}

export default function NewEndpoint({ loaderData, actionData }: Route.ComponentProps) {
  if (actionData?.kind === "saved") {
    return (
      <>
        <PageHeader title="Endpoint saved" />
        {actionData.secret === null ? (
          <Banner role="status" tone="success" title="Saved">
            It is not signed, so there is no secret.
          </Banner>
        ) : (
          <SecretOnce title="Saved. This is its secret" secret={actionData.secret}>
            Give it to the receiver now: it is not shown again.
          </SecretOnce>
        )}
        <div>
          <LinkButton to={endpointAddress(actionData.id)}>To the endpoint</LinkButton>
        </div>
      </>
    );
  }
  const refused = actionData?.kind === "refused" ? actionData : null;
  const general = refused?.problems.filter(({ path }) => path === "") ?? [];
  return (
    <>
      <nav aria-label="Breadcrumb" className="-mb-2 text-sm">
        <TextLink to="/endpoints">Endpoints</TextLink>
      </nav>
      <PageHeader title="New endpoint" />
      {refused && (
        <Banner role="alert" tone="danger" title="Not saved">
          {general.length > 0 ? general.map(({ message }) => <p key={message}>{message}</p>) : "See the fields below."}
        </Banner>
      )}
      <Card>
        <EndpointForm
          id={refused?.id ?? loaderData.id}
          made={refused?.made ?? loaderData.made}
          values={refused?.fields ?? EMPTY}
          problems={refused?.problems ?? []}
        />
      </Card>
    </>
  );
}

const EMPTY: EndpointFields = { name: "", type: "standard", url: "", service: "", path: "", headers: "", secret: "" };
