import { redirect } from "react-router";
import { appContext } from "~/cloudflare";
import { PageHeader } from "~/components/shell/page_header";
import { TextLink } from "~/components/ui/text_link";
import { WatchForm } from "~/components/watches/watch_form";
import { previewFields } from "~/domain/schedules/form";
import { zoneNames } from "~/domain/schedules/zones";
import { EMPTY_WATCH } from "~/domain/watches/form";
import { watchAddress } from "~/domain/watches/words";
import { createWatchFrom } from "~/lifecycle/watches/edit";
import type { Route } from "./+types/watch_new";
import { Refused } from "./support/refused";
import { saveWatchForm } from "./support/watch_form.server";

export const meta: Route.MetaFunction = () => [{ title: "New watch · Redrive" }];

export const loader = ({ context }: Route.LoaderArgs) => ({
  id: context.get(appContext).engine.newId(),
  answer: previewFields(EMPTY_WATCH, Date.now()),
  zones: zoneNames(),
});

export async function action({ request, context }: Route.ActionArgs) {
  const app = context.get(appContext);
  const { origin } = new URL(request.url);
  const done = await saveWatchForm(request, app, (call, { id }) =>
    createWatchFrom(app.engine, call, { origin, id }, { actor: app.identity.name }),
  );
  if ("saved" in done && done.saved) throw redirect(watchAddress(done.id), { status: 303 });
  return done;
}

export default function NewWatch({ loaderData, actionData }: Route.ComponentProps) {
  const refused = actionData && "problems" in actionData ? actionData : null;
  return (
    <>
      <nav aria-label="Breadcrumb" className="-mb-2 text-sm">
        <TextLink to="/watches">Watches</TextLink>
      </nav>
      <PageHeader title="New watch" lead="Its first look is what later ones are compared with." />
      <Refused problems={refused?.problems ?? []} />
      <WatchForm
        id={refused?.id ?? loaderData.id}
        values={refused?.fields ?? EMPTY_WATCH}
        problems={refused?.problems ?? []}
        answer={refused?.answer ?? loaderData.answer}
        zones={loaderData.zones}
        label="Create watch"
      />
    </>
  );
}
