import { data, redirect } from "react-router";
import { appContext } from "~/cloudflare";
import { PostForm } from "~/components/post_form";
import { Allowed } from "~/components/rights";
import { RetentionCard } from "~/components/settings/retention_card";
import { PageHeader } from "~/components/shell/page_header";
import { Button, LinkButton } from "~/components/ui/button";
import { Card } from "~/components/ui/card";
import { Field, INPUT } from "~/components/ui/field";
import { Table, Td, Th, Tr } from "~/components/ui/table";
import { count } from "~/domain/format";
import { PEOPLE_ADDRESS } from "~/domain/people/people";
import { TOKENS_ADDRESS } from "~/domain/people/tokens";
import { daysOf, SET_RETENTION } from "~/domain/retention";
import { instant } from "~/domain/time";
import { setRetention } from "~/lifecycle/retain";
import { readRetention } from "~/store/retention";
import { listSubmitters } from "~/store/submitters";
import type { Route } from "./+types/settings";
import { formOf } from "./support/answer.server";
import { reading } from "./support/read.server";

export const meta: Route.MetaFunction = () => [{ title: "Settings · Redrive" }];

export async function loader({ request, context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const { store } = app.engine;
  const [{ submitters, endsAt }, retention] = await reading(app, "settings", () =>
    Promise.all([listSubmitters(store), readRetention(store)]),
  );
  return {
    submitters,
    retention,
    endsAt: instant(endsAt),
    wrong: new URL(request.url).searchParams.has("wrong"),
    me: app.identity.name,
  };
}

/** How long jobs are kept. What was wrong comes back with what was typed. */
export async function action({ request, context }: Route.ActionArgs) {
  const app = context.get(appContext);
  const form = await formOf(request);
  const typed = { finishedDays: String(form.get("finishedDays") ?? ""), deadDays: String(form.get("deadDays") ?? "") };
  const asked = SET_RETENTION.safeParse({ finishedDays: daysOf(typed.finishedDays), deadDays: daysOf(typed.deadDays) });
  if (!asked.success) {
    const errors = asked.error.issues.map(({ path, message }) => ({ field: String(path[0]), message }));
    return data({ typed, errors }, { status: 400 });
  }
  await reading(app, "settings", () => setRetention(app.engine, asked.data, { actor: app.identity.name }));
  return redirect("/settings", 303);
}

export default function Settings({ loaderData, actionData }: Route.ComponentProps) {
  const { submitters, endsAt, retention, wrong, me } = loaderData;
  return (
    <>
      <PageHeader title="Settings">
        <LinkButton to={PEOPLE_ADDRESS} size="sm">
          People
        </LinkButton>
        <LinkButton to={TOKENS_ADDRESS} size="sm">
          API tokens
        </LinkButton>
      </PageHeader>
      <RetentionCard retention={retention} refused={actionData ?? null} />
      <Card flush title="Submitters" aside={`The day ends at ${endsAt.slice(11, 16)} UTC`}>
        {submitters.length === 0 ? (
          <p className="px-4 py-6 text-kumo-subtle">Nobody has submitted today, and nobody has a limit.</p>
        ) : (
          <Table label="Submitters, what they have submitted today, and their limits">
            <thead>
              <tr>
                <Th>Submitter</Th>
                <Th className="text-right">Submitted today</Th>
                <Th className="text-right">Limit a day</Th>
              </tr>
            </thead>
            <tbody>
              {submitters.map(({ name, today, dailyLimit }) => (
                <Tr key={name}>
                  <Td className="break-all">{name}</Td>
                  <Td className="text-right tabular-nums">{count(today)}</Td>
                  <Td className="text-right tabular-nums">{dailyLimit === null ? "none" : count(dailyLimit)}</Td>
                </Tr>
              ))}
            </tbody>
          </Table>
        )}
      </Card>
      <Allowed send={"/settings/limit"}>
        <Card title="Limit a submitter">
          <PostForm action="/settings/limit" className="grid max-w-xl items-start gap-4 sm:grid-cols-2">
            <Field id="name" label="Submitter" hint="The signed-in name, as in the list above.">
              {(ids) => <input {...ids} name="name" required maxLength={256} defaultValue={me} className={INPUT} />}
            </Field>
            <Field
              id="dailyLimit"
              label="Jobs a day"
              optional
              hint="Empty: no limit. A call that does not fit is refused whole."
              errors={wrong ? ["is a whole number, 0 or more"] : []}
            >
              {(ids) => <input {...ids} name="dailyLimit" inputMode="numeric" className={INPUT} />}
            </Field>
            <div>
              <Button type="submit" variant="primary">
                Set limit
              </Button>
            </div>
          </PostForm>
        </Card>
      </Allowed>
    </>
  );
}
