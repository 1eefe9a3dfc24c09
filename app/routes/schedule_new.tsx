import { redirect } from "react-router";
import { appContext } from "~/cloudflare";
import { ScheduleForm } from "~/components/schedules/schedule_form";
import { PageHeader } from "~/components/shell/page_header";
import { TextLink } from "~/components/ui/text_link";
import { prettyJson } from "~/domain/job/pretty";
import { EMPTY_SCHEDULE } from "~/domain/schedules/fields";
import { previewFields } from "~/domain/schedules/form";
import { scheduleAddress } from "~/domain/schedules/words";
import { zoneNames } from "~/domain/schedules/zones";
import type { Kind } from "~/kinds/define";
import { create } from "~/lifecycle/schedules/edit";
import type { Route } from "./+types/schedule_new";
import { Refused } from "./support/refused";
import { saveScheduleForm } from "./support/schedule_form.server";

export const meta: Route.MetaFunction = () => [{ title: "New schedule · Redrive" }];

/** `?kind=` starts with that kind and its first example. */
export function loader({ request, context }: Route.LoaderArgs) {
  const { engine } = context.get(appContext);
  const kinds = [...engine.kinds.values()];
  const kind = engine.kinds.get(new URL(request.url).searchParams.get("kind") ?? "") ?? (kinds[0] as Kind);
  const payload = prettyJson(JSON.stringify(kind.examples?.[0]?.payload ?? {}));
  const fields = { ...EMPTY_SCHEDULE, kind: kind.name, payload };
  return {
    fields,
    answer: previewFields(fields, Date.now()),
    kinds: kinds.map(({ name, title, description }) => ({ name, title, description })),
    zones: zoneNames(),
  };
}

export async function action({ request, context }: Route.ActionArgs) {
  const app = context.get(appContext);
  const done = await saveScheduleForm(request, app, (text, by) => create(app.engine, text, by));
  if ("saved" in done && done.saved) throw redirect(scheduleAddress(done.id), { status: 303 });
  return done;
}

export default function NewSchedule({ loaderData, actionData }: Route.ComponentProps) {
  const refused = actionData && "problems" in actionData ? actionData : null;
  return (
    <>
      <nav aria-label="Breadcrumb" className="-mb-2 text-sm">
        <TextLink to="/schedules">Schedules</TextLink>
      </nav>
      <PageHeader title="New schedule" lead="Each slot is one job, however often the sweep comes by." />
      <Refused problems={refused?.problems ?? []} />
      <ScheduleForm
        values={refused?.fields ?? loaderData.fields}
        problems={refused?.problems ?? []}
        answer={refused?.answer ?? loaderData.answer}
        kinds={loaderData.kinds}
        zones={loaderData.zones}
        label="Create schedule"
      />
    </>
  );
}
