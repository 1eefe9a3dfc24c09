import { type SubmitEvent, useEffect, useRef, useState } from "react";
import { redirect, type ShouldRevalidateFunctionArgs, useNavigation } from "react-router";
import { appContext } from "~/cloudflare";
import { PostForm } from "~/components/post_form";
import { PageHeader } from "~/components/shell/page_header";
import { ChangesCard } from "~/components/submit/changes_card";
import { DrawnForm } from "~/components/submit/drawn_form";
import { Examples } from "~/components/submit/examples";
import { KindPicker } from "~/components/submit/kind_picker";
import { NotSubmitted } from "~/components/submit/not_submitted";
import { Options } from "~/components/submit/options";
import { PayloadField } from "~/components/submit/payload_field";
import { WayOfWriting } from "~/components/submit/way_of_writing";
import { Button } from "~/components/ui/button";
import { Card } from "~/components/ui/card";
import { Snippet } from "~/components/ui/snippet";
import { submitAddress, withoutSecrets } from "~/domain/form/address";
import { callText, type FormFields } from "~/domain/form/call";
import { saidBy } from "~/domain/form/sent";
import { prettyJson } from "~/domain/job/pretty";
import type { Route } from "./+types/submit";
import { curlFor } from "./support/curl";
import { submitForm } from "./support/form_state.server";
import { keepForm, useKeptForm } from "./support/kept_form";
import { readForm } from "./support/submit_form.server";

export const meta: Route.MetaFunction = () => [{ title: "Submit a job · Redrive" }];

/** Kept by the browser for its way back, with what was typed: other pages are not. */
export const headers: Route.HeadersFunction = () => ({ "Cache-Control": "private, no-cache" });

/** The form's id is in its address, so Back comes to the same form, and sending it again makes no second job. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const form = await readForm(context.get(appContext), new URL(request.url));
  if (form.elsewhere !== undefined) throw redirect(form.elsewhere);
  return form;
}

export const action = ({ request, context }: Route.ActionArgs) => submitForm(request, context.get(appContext));

/** What a form is made of does not change by being sent. */
export const shouldRevalidate = ({ formAction, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs): boolean =>
  !formAction && defaultShouldRevalidate;

export default function Submit({ loaderData, actionData }: Route.ComponentProps) {
  const { form, origin, local, kinds, kind, examples, example, source, spec, files } = loaderData;
  const navigation = useNavigation();
  const busy = isSubmitting(navigation);
  const ref = useRef<HTMLFormElement>(null);
  const state = actionData?.fields.kind === kind.name ? actionData : undefined;
  const values: FormFields = state?.fields ?? loaderData.fields;
  const draft = state ? state.draft : loaderData.draft;
  const as = draft ? "form" : "json";
  const place = { kind: kind.name, form: state?.form ?? form, example, from: source?.id ?? null, as } as const;
  const [typed, setTyped] = useState(values);
  const shown = typed.kind === kind.name ? typed : values;

  function read() {
    if (!ref.current) return;
    const { fields } = saidBy(new FormData(ref.current), spec);
    setTyped(fields);
    return fields;
  }
  /** So that it can be kept, sent on, and come back to. No secret is in it. */
  function keepInAddress() {
    const fields = read();
    if (fields) window.history.replaceState(window.history.state, "", submitAddress(place, fields, kind));
  }
  useKeptForm(ref, form, read);
  // biome-ignore lint/correctness/useExhaustiveDependencies: something else was put into the fields
  useEffect(() => {
    read();
    if (state?.focus)
      ref.current?.querySelector<HTMLElement>(`[name^="${CSS.escape(state.focus)}"]:not([type=hidden])`)?.focus();
  }, [kind.name, example, state?.drawn]);

  // Not before the way here has ended: the router writes the address it went to.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each answer
  useEffect(() => {
    if (state && navigation.state === "idle") keepInAddress();
  }, [state, navigation.state]);

  function onSubmit(event: SubmitEvent<HTMLFormElement>) {
    keepInAddress();
    keepForm(event.currentTarget, form, kind);
  }

  const problems = state?.problems ?? [];
  const errorsAt = (path: string, within: boolean) =>
    problems
      .filter((one) => one.path === path || (within && one.path.startsWith(`${path}.`)))
      .map((one) => (one.path === path ? one.message : `${one.path.slice(path.length + 1)}: ${one.message}`));
  const general = problems.filter(({ path }) => !((path.split(".", 1)[0] ?? "") in values));
  const payload = withoutSecrets(shown.payload, kind);
  const same = source !== null && prettyJson(shown.payload) === source.payload;

  return (
    <>
      <PageHeader
        title={source ? "Edit and run" : "Submit a job"}
        lead="It is stored first, then sent: once you see its page, it cannot get lost."
      />
      {source ? (
        <ChangesCard from={source.id} before={source.payload} after={prettyJson(payload ?? shown.payload)} />
      ) : (
        <KindPicker kinds={kinds} chosen={kind.name} addressOf={(name) => submitAddress({ kind: name, form, as })} />
      )}
      <NotSubmitted general={general} state={state} />
      <div className="grid items-start gap-5 xl:grid-cols-[minmax(0,1fr)_26rem]">
        <Card>
          <PostForm
            ref={ref}
            action={submitAddress({ ...place, form })}
            busy={busy}
            onSubmit={onSubmit}
            onInput={keepInAddress}
            className="flex flex-col gap-5"
          >
            {/* What Enter presses: the first button of a form, and the others only change how it looks. */}
            <button type="submit" tabIndex={-1} aria-hidden="true" className="sr-only">
              Submit
            </button>
            <input type="hidden" name="kind" value={kind.name} key={`kind ${kind.name}`} />
            <input type="hidden" name="form" defaultValue={place.form} key={`form ${place.form}`} />
            <input type="hidden" name="as" value={as} />
            <input type="hidden" name="drawn" value={state?.drawn ?? 0} />
            {source && <input type="hidden" name="from" value={source.id} />}
            <div className="flex flex-wrap items-center justify-between gap-3">
              <WayOfWriting as={as} />
              <Examples
                examples={examples.map((title, index) => ({
                  title,
                  address: submitAddress({ kind: kind.name, form, example: index, as }),
                  on: index === example,
                }))}
              />
            </div>
            <div key={`${kind.name} ${example} ${as} ${state?.drawn ?? 0}`}>
              {draft ? (
                <DrawnForm
                  spec={spec}
                  draft={draft}
                  files={files}
                  errorsAt={(path, within) => errorsAt(path === "" ? "payload" : `payload.${path}`, within)}
                />
              ) : (
                <PayloadField value={values.payload} errors={errorsAt("payload", true)} />
              )}
            </div>
            <div className="border-t border-kumo-hairline pt-5">
              <Options
                values={values}
                errorsOf={(field) => errorsAt(field, true)}
                maxAttempts={kind.maxAttempts}
                alwaysLong={kind.alwaysLong}
              />
            </div>
            <div>
              <Button type="submit" variant="primary" aria-disabled={busy}>
                {busy ? "Submitting…" : source ? (same ? "Run one like this" : "Run with these changes") : "Submit job"}
              </Button>
            </div>
          </PostForm>
        </Card>
        <section aria-label="The same by a call" className="flex flex-col gap-2 xl:sticky xl:top-6">
          <h2 className="text-base font-medium">The same by a call</h2>
          <Snippet text={curlFor(origin, local, callText({ ...shown, payload: payload ?? HIDDEN }))} what="call" />
        </section>
      </div>
    </>
  );
}

/** Until its job is seen, or why there is none. A button that only changes how the form looks keeps nobody waiting. */
const isSubmitting = ({ state, formAction, formData, location }: ReturnType<typeof useNavigation>): boolean =>
  Boolean(formAction?.startsWith("/submit") && !formData?.get("to")) &&
  (state === "submitting" || location?.pathname !== "/submit");

/** Where secrets stand in it cannot be told yet. */
const HIDDEN = '"… shown once it is JSON"';
