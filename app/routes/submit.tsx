import { useEffect, useRef, useState } from "react";
import { Form, redirect, useNavigation } from "react-router";
import { appContext } from "~/cloudflare";
import { PageHeader } from "~/components/shell/page_header";
import { KindPicker } from "~/components/submit/kind_picker";
import { Options } from "~/components/submit/options";
import { PayloadField } from "~/components/submit/payload_field";
import { Banner } from "~/components/ui/banner";
import { Button } from "~/components/ui/button";
import { Card } from "~/components/ui/card";
import { Snippet } from "~/components/ui/snippet";
import { TextLink } from "~/components/ui/text_link";
import { jobAddress } from "~/domain/addresses";
import { callText, type FormFields, fieldsOf } from "~/domain/form_call";
import { token } from "~/domain/ids";
import { SHORT_TIMEOUT_MS } from "~/domain/limits";
import { prettyJson } from "~/domain/pretty";
import type { Route } from "./+types/submit";
import { curlFor } from "./support/curl";
import { isFormId, submitForm } from "./support/form_state.server";
import { keepForm, useKeptForm } from "./support/kept_form";

export const meta: Route.MetaFunction = () => [{ title: "Submit a job · Redrive" }];

/** Kept by the browser for its way back, with what was typed: other pages are not. */
export const headers: Route.HeadersFunction = () => ({ "Cache-Control": "private, no-cache" });

/** The form's id is in its address, so Back comes to the same form, and sending it again makes no second job. */
export function loader({ request, context }: Route.LoaderArgs) {
  const { engine, local } = context.get(appContext);
  const { searchParams, origin } = new URL(request.url);
  const kinds = [...engine.kinds.values()].filter(({ internal }) => !internal);
  const kind = engine.kinds.get(searchParams.get("kind") ?? "") ?? kinds[0];
  if (!kind) throw new Error("this release has no kinds");
  const form = searchParams.get("form");
  if (!isFormId(form)) throw redirect(addressOf(kind.name, token()));
  const examples = kind.examples?.length ? kind.examples : [{ title: "Empty", payload: {} }];
  const example = Math.min(Number(searchParams.get("example")) || 0, examples.length - 1);
  return {
    form,
    origin,
    local,
    kinds: kinds.map(({ name, title, description }) => ({ name, title, description })),
    kind: { name: kind.name, maxAttempts: kind.retry.maxAttempts, alwaysLong: kind.timeoutMs > SHORT_TIMEOUT_MS },
    examples: examples.map(({ title }) => title),
    example,
    payload: prettyJson(JSON.stringify(examples[example]?.payload ?? {})),
  };
}

export const action = ({ request, context }: Route.ActionArgs) => submitForm(request, context.get(appContext));

const addressOf = (kind: string, form: string, example = 0): string =>
  `/submit?${new URLSearchParams({ kind, ...(example > 0 && { example: String(example) }), form })}`;

export default function Submit({ loaderData, actionData }: Route.ComponentProps) {
  const { form, origin, local, kinds, kind, examples, example } = loaderData;
  const busy = useNavigation().formAction?.startsWith("/submit") ?? false;
  const ref = useRef<HTMLFormElement>(null);
  const refused = actionData?.fields.kind === kind.name ? actionData : undefined;
  const values: FormFields = refused?.fields ?? { ...EMPTY, kind: kind.name, payload: loaderData.payload };
  const [typed, setTyped] = useState(values);
  const shown = typed.kind === kind.name ? typed : values;
  const read = () => ref.current && setTyped(fieldsOf(new FormData(ref.current)));
  useKeptForm(ref, form, read);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another example has put another payload into the field
  useEffect(() => void read(), [kind.name, example]);

  const problems = refused?.problems ?? [];
  const errorsOf = (field: keyof FormFields) =>
    problems
      .filter(({ path }) => path === field || path.startsWith(`${field}.`))
      .map(({ path, message }) => (path === field ? message : `${path.slice(field.length + 1)}: ${message}`));
  const general = problems.filter(({ path }) => !FIELDS.has(path.split(".", 1)[0] ?? ""));

  return (
    <>
      <PageHeader
        title="Submit a job"
        lead="It is stored first, then sent: once you see its page, it cannot get lost."
      />
      <KindPicker kinds={kinds} chosen={kind.name} addressOf={(name) => addressOf(name, form)} />
      {general.length > 0 && (
        <Banner
          role="alert"
          tone="danger"
          title={refused?.unknown ? "It is not known whether this was submitted" : "Not submitted"}
        >
          {general.map(({ path, message }) => (
            <p key={path + message}>{path ? `${path}: ${message}` : message}</p>
          ))}
        </Banner>
      )}
      {refused?.holder && (
        <Banner
          role="alert"
          tone="warning"
          title={
            problems.length > 0 ? "The idempotency key is taken" : "This form was submitted before, with other values"
          }
        >
          <TextLink to={jobAddress(refused.holder)}>Here is its job.</TextLink>{" "}
          {problems.length > 0
            ? "Take another key for another job."
            : "Submit again to make another one of what stands here now."}
        </Banner>
      )}
      <div className="grid items-start gap-5 xl:grid-cols-[minmax(0,1fr)_26rem]">
        <Card>
          <Form
            ref={ref}
            method="post"
            action={addressOf(kind.name, form, example)}
            onSubmit={(event) => (busy ? event.preventDefault() : keepForm(event.currentTarget, form))}
            onInput={read}
            className="flex flex-col gap-5"
          >
            <input type="hidden" name="kind" value={kind.name} key={`kind ${kind.name}`} />
            <input
              type="hidden"
              name="form"
              defaultValue={refused?.form ?? form}
              key={`form ${refused?.form ?? form}`}
            />
            <PayloadField
              key={`${kind.name} ${example}`}
              value={values.payload}
              errors={errorsOf("payload")}
              examples={examples.map((title, index) => ({
                title,
                address: addressOf(kind.name, form, index),
                on: index === example,
              }))}
            />
            <Options values={values} errorsOf={errorsOf} maxAttempts={kind.maxAttempts} alwaysLong={kind.alwaysLong} />
            <div>
              <Button type="submit" variant="primary" aria-disabled={busy}>
                {busy ? "Submitting…" : "Submit job"}
              </Button>
            </div>
          </Form>
        </Card>
        <section aria-label="The same by a call" className="flex flex-col gap-2 xl:sticky xl:top-6">
          <h2 className="text-base font-medium">The same by a call</h2>
          <Snippet text={curlFor(origin, local, callText(shown))} what="call" />
        </section>
      </div>
    </>
  );
}

const EMPTY: FormFields = {
  kind: "",
  payload: "",
  delaySeconds: "",
  runAt: "",
  priority: "normal",
  maxAttempts: "",
  expiresAt: "",
  groupKey: "",
  idempotencyKey: "",
};
const FIELDS: ReadonlySet<string> = new Set(Object.keys(EMPTY));
