import { data } from "react-router";
import { appContext } from "~/cloudflare";
import { PostForm, useSending } from "~/components/post_form";
import { PageHeader } from "~/components/shell/page_header";
import { Banner } from "~/components/ui/banner";
import { Button } from "~/components/ui/button";
import { Card } from "~/components/ui/card";
import { Field, INPUT } from "~/components/ui/field";
import { Snippet } from "~/components/ui/snippet";
import { TextLink } from "~/components/ui/text_link";
import { jobAddress } from "~/domain/addresses";
import { mailboxAddress } from "~/domain/mail/mail";
import { SIGNUP } from "~/domain/signup";
import { type Problem, problemsOf } from "~/domain/submission";
import { signUp } from "~/lifecycle/sign_up";
import { isUnreachable } from "~/store/errors";
import type { Route } from "./+types/signup";
import { formOf } from "./support/answer.server";
import { curlFor } from "./support/curl";
import { leadsToMailbox } from "./support/mailbox.server";

export const meta: Route.MetaFunction = () => [{ title: "Sign-up example · Redrive" }];

export function loader({ request, context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  return { origin: new URL(request.url).origin, local: app.local, mailbox: leadsToMailbox(app) };
}

type Answered = {
  values: { email: string; name: string };
  problems: Problem[];
  done: { jobId: string; replayed: boolean } | null;
};

/** Sending it again is harmless, so it needs neither a token nor a redirect: the same address is the same job. */
export async function action({ request, context }: Route.ActionArgs) {
  const app = context.get(appContext);
  const form = await formOf(request);
  const values = { email: String(form.get("email") ?? ""), name: String(form.get("name") ?? "") };
  const answer = (status: number, rest: Omit<Answered, "values">) => data<Answered>({ values, ...rest }, { status });
  const parsed = SIGNUP.safeParse(values);
  if (!parsed.success) return answer(400, { problems: problemsOf(parsed.error), done: null });
  try {
    return answer(200, { problems: [], done: await signUp(app.engine, parsed.data) });
  } catch (error) {
    if (!isUnreachable(error)) throw error;
    app.engine.events({ event: "database.unreachable", step: "sign-up form", error: String(error) });
    return answer(503, { problems: [{ path: "", message: UNKNOWN }], done: null });
  }
}

const UNKNOWN = "The database did not answer. Send it again: the same address is signed up once, and gets one mail.";

export default function Signup({ loaderData, actionData }: Route.ComponentProps) {
  const { origin, local, mailbox } = loaderData;
  const busy = useSending();
  const values = actionData?.values ?? { email: "", name: "" };
  const errorsOf = (field: string) =>
    (actionData?.problems ?? []).filter(({ path }) => path === field).map(({ message }) => message);
  return (
    <>
      <PageHeader
        title="Sign-up example"
        lead="A row is stored and a job takes over: the answer does not wait for the mail."
      />
      {errorsOf("").map((message) => (
        <Banner key={message} role="alert" tone="danger" title="Not known whether it was done">
          {message}
        </Banner>
      ))}
      {actionData?.done && <Done {...actionData.done} mailbox={mailbox} />}
      <div className="grid items-start gap-5 xl:grid-cols-[minmax(0,1fr)_26rem]">
        <Card>
          <PostForm className="flex flex-col gap-5">
            <Field
              id="email"
              label="E-mail address"
              errors={errorsOf("email")}
              hint="The same address twice is one mail."
            >
              {(ids) => (
                <input
                  {...ids}
                  name="email"
                  type="text"
                  inputMode="email"
                  autoComplete="off"
                  spellCheck={false}
                  defaultValue={values.email}
                  className={INPUT}
                />
              )}
            </Field>
            <Field id="name" label="Name" optional errors={errorsOf("name")}>
              {(ids) => <input {...ids} name="name" autoComplete="off" defaultValue={values.name} className={INPUT} />}
            </Field>
            <div>
              <Button type="submit" variant="primary" aria-disabled={busy}>
                {busy ? "Signing up…" : "Sign up"}
              </Button>
            </div>
          </PostForm>
        </Card>
        <section aria-label="The same by a call" className="flex flex-col gap-2">
          <h2 className="text-base font-medium">The same by a call</h2>
          <Snippet
            text={curlFor(origin, local, '{"email": "ana@example.com", "name": "Ana"}', "/examples/signup")}
            what="call"
          />
        </section>
      </div>
    </>
  );
}

const Done = ({ jobId, replayed, mailbox }: { jobId: string; replayed: boolean; mailbox: boolean }) => (
  <Banner
    role="status"
    tone={replayed ? "info" : "success"}
    title={replayed ? "This address has signed up before: no second mail is sent" : "Signed up: the mail is on its way"}
  >
    <TextLink to={jobAddress(jobId)}>{replayed ? "The job of the first time" : "Its job"}</TextLink>
    {mailbox && (
      <>
        {" · "}
        <TextLink to={mailboxAddress()}>The mailbox</TextLink>
      </>
    )}
  </Banner>
);
