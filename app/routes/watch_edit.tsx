import { data, redirect } from "react-router";
import { appContext } from "~/cloudflare";
import { PageHeader } from "~/components/shell/page_header";
import { TextLink } from "~/components/ui/text_link";
import { WatchForm } from "~/components/watches/watch_form";
import { previewFields } from "~/domain/schedules/form";
import { zoneNames } from "~/domain/schedules/zones";
import { fieldsOfWatch } from "~/domain/watches/form";
import { watchAddress } from "~/domain/watches/words";
import { updateWatchFrom } from "~/lifecycle/watches/edit";
import { findWatch } from "~/store/watches/watches";
import type { Route } from "./+types/watch_edit";
import { reading } from "./support/read.server";
import { Refused } from "./support/refused";
import { saveWatchForm } from "./support/watch_form.server";

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: loaderData ? `Edit ${loaderData.fields.name} · Redrive` : "No such watch · Redrive" },
];

export async function loader({ params, context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const watch = await reading(app, "watch", () => findWatch(app.engine.store, params.id));
  if (!watch) throw data({ reason: "no-such-watch" }, { status: 404 });
  const fields = fieldsOfWatch(watch);
  return { fields, answer: previewFields(fields, Date.now()), zones: zoneNames() };
}

export async function action({ request, params, context }: Route.ActionArgs) {
  const app = context.get(appContext);
  const { origin } = new URL(request.url);
  const done = await saveWatchForm(request, app, (call, { version }) =>
    updateWatchFrom(app.engine, { id: params.id, version }, call, origin, { actor: app.identity.name }),
  );
  if ("saved" in done && done.saved) throw redirect(watchAddress(params.id), { status: 303 });
  return done;
}

export default function EditWatch({ loaderData, actionData, params }: Route.ComponentProps) {
  const refused = actionData && "problems" in actionData ? actionData : null;
  const { name } = loaderData.fields;
  return (
    <>
      <nav aria-label="Breadcrumb" className="-mb-2 text-sm wrap-anywhere">
        <TextLink to="/watches">Watches</TextLink> / <TextLink to={watchAddress(params.id)}>{name}</TextLink>
      </nav>
      <PageHeader
        title={`Edit ${name}`}
        lead="With another page, selector or comparison it begins anew; with other times it goes on from now by those."
      />
      <Refused problems={refused?.problems ?? []} />
      <WatchForm
        id={params.id}
        values={refused?.fields ?? loaderData.fields}
        problems={refused?.problems ?? []}
        answer={refused?.answer ?? loaderData.answer}
        zones={loaderData.zones}
        label="Save watch"
      />
    </>
  );
}
