import { data, redirect } from "react-router";
import { appContext, readerOf } from "~/cloudflare";
import { PostForm } from "~/components/post_form";
import { PageHeader } from "~/components/shell/page_header";
import { Button, LinkButton } from "~/components/ui/button";
import { Card } from "~/components/ui/card";
import { scheduleAddress } from "~/domain/schedules/words";
import { remove } from "~/lifecycle/schedules/edit";
import { readSchedule } from "~/store/reads/schedule";
import type { Route } from "./+types/schedule_delete";
import { reading } from "./support/read.server";

export const meta: Route.MetaFunction = () => [{ title: "Delete schedule · Redrive" }];

export async function loader({ params, context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const schedule = await reading(app, "schedule", () => readSchedule(app.engine.store, params.id, readerOf(app)));
  if (!schedule) throw data({ reason: "no-such-schedule" }, { status: 404 });
  return { name: schedule.name, text: schedule.text };
}

export async function action({ params: { id }, context }: Route.ActionArgs) {
  const app = context.get(appContext);
  await reading(app, "delete schedule", () => remove(app.engine, id, { actor: app.identity.name }));
  throw redirect("/schedules", { status: 303 });
}

export default function Delete({ loaderData, params }: Route.ComponentProps) {
  return (
    <>
      <PageHeader title={`Delete ${loaderData.name}?`} lead={loaderData.text} />
      <Card>
        <PostForm className="flex flex-col items-start gap-4">
          <p>It fires no more, and what became of its slots is gone. Jobs that it made stay, and run on.</p>
          <div className="flex flex-wrap gap-2">
            <Button type="submit" variant="secondary-destructive">
              Delete schedule
            </Button>
            <LinkButton to={scheduleAddress(params.id)}>Keep it</LinkButton>
          </div>
        </PostForm>
      </Card>
    </>
  );
}
