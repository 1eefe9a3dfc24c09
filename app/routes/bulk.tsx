import { data, redirect } from "react-router";
import { appContext } from "~/cloudflare";
import { ConfirmFields, titleOf } from "~/components/bulk/confirm_fields";
import type { Question } from "~/components/bulk/question";
import { ErrorPage } from "~/components/shell/error_page";
import { PageHeader } from "~/components/shell/page_header";
import { LinkButton } from "~/components/ui/button";
import { Card } from "~/components/ui/card";
import { TextLink } from "~/components/ui/text_link";
import { jobsAddress, operationAddress, safePath } from "~/domain/addresses";
import { besideOf } from "~/domain/bulk/beside";
import { BULK_ACTION_NAMES, type BulkAction, confirmFor, fits, reasonsOf } from "~/domain/bulk/bulk";
import { BULK_FILTER } from "~/domain/bulk/call";
import { bulkFormOf, fieldsOf } from "~/domain/bulk/form";
import { count } from "~/domain/format";
import { type NoticeCode, noticeCookie } from "~/domain/notices";
import type { Route } from "./+types/bulk";
import { formOf } from "./support/answer.server";
import { actBulk, questionOfAll, questionOfNamed } from "./support/bulk.server";
import { partsIn } from "./support/matching";
import { reading } from "./support/read.server";
import { useStats } from "./support/stats";

/** The same questions as over a list, on a page of their own: for whoever has no script. */
type Asking = { question: Question; fields: [string, string][]; problem: string | null; back: string };

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: `${loaderData ? titleOf(loaderData.question) : "Many jobs"} · Redrive` },
];

export async function loader({ request, context }: Route.LoaderArgs): Promise<Asking | null> {
  const app = context.get(appContext);
  const { searchParams } = new URL(request.url);
  // A form that was sent here asks by itself.
  if (searchParams.size === 0) return null;
  const { action, reason, back, ...asked } = Object.fromEntries(searchParams);
  const filter = BULK_FILTER.safeParse(asked);
  const known = BULK_ACTION_NAMES.includes(action as BulkAction);
  if (!filter.success || !known || !fits(action as BulkAction, filter.data.view)) throw redirect("/jobs");
  const question = await reading(app, "bulk", () => questionOfAll(app, action as BulkAction, filter.data));
  const fields = fieldsOf({ action: question.action, filter: question.filter ?? undefined, id: app.engine.newId() });
  return {
    question: { ...question, ...(reason && { reason }) },
    fields,
    problem: null,
    back: safePath(back, jobsAddress(filter.data)),
  };
}

export async function action({ request, context }: Route.ActionArgs) {
  const app = context.get(appContext);
  const form = await formOf(request);
  const back = safePath(form.get("back"), "/jobs");
  const to = (path: string, notice: NoticeCode) =>
    redirect(path, { status: 303, headers: { "Set-Cookie": noticeCookie(notice) } });
  const asked = bulkFormOf(form);
  if (asked.kind === "nothing") return to(back, { code: "bulk-none", jobId: null });
  if (asked.kind === "refused") {
    throw data({ reason: "bulk-refused", problems: asked.problems }, { status: asked.status });
  }

  const { call } = asked;
  const again = async (problem: string | null): Promise<Asking> => {
    const { question, ids } = call.ids
      ? await reading(app, "bulk", () => questionOfNamed(app, call.action, call.ids as string[]))
      : { question: await questionOfAll(app, call.action, call.filter as never), ids: [] };
    const meant = question.filter ?? call.filter;
    const fields = [...fieldsOf({ ...call, filter: meant }), ...ids.map((id) => ["id", id] as [string, string])];
    return { question: { ...question, reason: call.reason ?? question.reason }, fields, problem, back };
  };
  if (call.ids && confirmFor(call.action, call.ids.length) !== "none" && form.get("confirmed") !== "yes") {
    return data(await again(null));
  }
  if (call.ids && call.action === "delete" && Number(form.get("confirm")) !== call.ids.length) {
    return data(await again(`Not done: type ${count(call.ids.length)}, the number of jobs.`), { status: 400 });
  }
  const answer = await actBulk(app, call);
  switch (answer.kind) {
    case "done": {
      const { changed, skipped } = answer;
      return to(back, { code: "bulk-done", jobId: null, action: call.action, changed, skipped: reasonsOf(skipped) });
    }
    case "started": {
      const { operation, expected } = answer;
      return to(operationAddress(operation), {
        code: "bulk-started",
        jobId: null,
        action: call.action,
        expected,
        operation,
      });
    }
    case "recounted":
      if (answer.expected === 0) return to(back, { code: "bulk-gone", jobId: null });
      return data(await again(`Not done: ${count(answer.expected)} match by now.`), { status: 409 });
    case "refused":
      return data(await again(answer.message), { status: 503 });
  }
}

export default function Bulk({ loaderData, actionData }: Route.ComponentProps) {
  const stats = useStats()?.body;
  const asking = actionData ?? loaderData;
  if (!asking) return <NothingChosen />;
  const { question, fields, problem, back } = asking;
  const { filter } = question;
  const parts =
    filter && filter.kind === undefined && filter.cause === undefined && filter.q === undefined
      ? partsIn(filter.view, stats?.kinds ?? [])
      : question.parts;
  const whole = { ...question, parts };
  return (
    <>
      <PageHeader title={titleOf(question)} />
      <Card className="max-w-2xl">
        <form method="post" action="/bulk" className="flex flex-col gap-5">
          {fields.map(([name, value]) => (
            <input key={name + value} type="hidden" name={name} value={value} />
          ))}
          <input type="hidden" name="back" value={back} />
          <input type="hidden" name="confirmed" value="yes" />
          <ConfirmFields
            question={whole}
            beside={stats ? besideOf(whole, stats) : []}
            problem={problem}
            sending={false}
          />
        </form>
      </Card>
      <p>
        <TextLink to={back}>Back, without doing it</TextLink>
      </p>
    </>
  );
}

const NothingChosen = () => (
  <ErrorPage title="No jobs are selected" actions={<LinkButton to="/jobs">All jobs</LinkButton>}>
    <p>Tick jobs in a list first.</p>
  </ErrorPage>
);
