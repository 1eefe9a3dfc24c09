import { data, redirect } from "react-router";
import { appContext, readerOf } from "~/cloudflare";
import { ScheduleForm } from "~/components/schedules/schedule_form";
import { PageHeader } from "~/components/shell/page_header";
import { TextLink } from "~/components/ui/text_link";
import { fieldsFrom } from "~/domain/schedules/fields";
import { previewFields } from "~/domain/schedules/form";
import { scheduleAddress } from "~/domain/schedules/words";
import { zoneNames } from "~/domain/schedules/zones";
import { update } from "~/lifecycle/schedules/edit";
import { readSchedule } from "~/store/reads/schedule";
import type { Route } from "./+types/schedule_edit";
import { reading } from "./support/read.server";
import { Refused } from "./support/refused";
import { saveScheduleForm } from "./support/schedule_form.server";

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: loaderData ? `Edit ${loaderData.name} · Redrive` : "No such schedule · Redrive" },
];

export async function loader({ params, context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const schedule = await reading(app, "schedule", () => readSchedule(app.engine.store, params.id, readerOf(app)));
  if (!schedule) throw data({ reason: "no-such-schedule" }, { status: 404 });
  const fields = fieldsFrom(schedule, schedule.payloadText);
  const kinds = [...app.engine.kinds.values()].map(({ name, title, description }) => ({ name, title, description }));
  const gone = { name: schedule.kind, title: "No such kind here", description: "" };
  return {
    name: schedule.name,
    fields,
    answer: previewFields(fields, Date.now()),
    kinds: app.engine.kinds.has(schedule.kind) ? kinds : [...kinds, gone],
    zones: zoneNames(),
  };
}

export async function action({ request, params: { id }, context }: Route.ActionArgs) {
  const app = context.get(appContext);
  const done = await saveScheduleForm(request, app, (text, by) => update(app.engine, id, text, by));
  if ("saved" in done && done.saved) throw redirect(scheduleAddress(done.id), { status: 303 });
  return done;
}

export default function EditSchedule({ loaderData, actionData, params }: Route.ComponentProps) {
  const refused = actionData && "problems" in actionData ? actionData : null;
  return (
    <>
      <nav aria-label="Breadcrumb" className="-mb-2 text-sm">
        <TextLink to="/schedules">Schedules</TextLink> /{" "}
        <TextLink to={scheduleAddress(params.id)}>{loaderData.name}</TextLink>
      </nav>
      <PageHeader title={`Edit ${loaderData.name}`} lead="With other times it goes on from now by those." />
      <Refused problems={refused?.problems ?? []} />
      <ScheduleForm
        values={refused?.fields ?? loaderData.fields}
        problems={refused?.problems ?? []}
        answer={refused?.answer ?? loaderData.answer}
        kinds={loaderData.kinds}
        zones={loaderData.zones}
        label="Save schedule"
      />
    </>
  );
}
