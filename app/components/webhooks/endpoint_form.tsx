import type { Problem } from "~/domain/submission";
import type { EndpointFields } from "~/domain/webhooks/endpoint_form";
import { ENDPOINT_TYPES, type EndpointType } from "~/domain/webhooks/webhooks";
import { PostForm, useSending } from "../post_form";
import { Button } from "../ui/button";
import { Field, INPUT } from "../ui/field";
import { TextArea } from "../ui/text_area";

const TYPES: Record<EndpointType, { label: string; hint: string }> = {
  standard: { label: "Standard", hint: "signed by Standard Webhooks" },
  slack: { label: "Slack", hint: "an incoming webhook" },
  service: { label: "Service", hint: "a Worker bound to this one" },
};

/** `made`: the secret that a standard endpoint gets where none is typed. */
type Props = { id: string; made: string; values: EndpointFields; problems: Problem[] };

/** All fields stand there whatever the type, so that it works without a script; what does not go with it is refused. */
export function EndpointForm({ id, made, values, problems }: Props) {
  const busy = useSending();
  const errorsOf = (field: string) =>
    problems
      .filter(({ path }) => path === field || path.startsWith(`${field}.`))
      .map(({ path, message }) => (path === field ? message : `${path.slice(field.length + 1)}: ${message}`));
  return (
    <PostForm className="flex max-w-2xl flex-col gap-5">
      <input type="hidden" name="id" value={id} />
      <input type="hidden" name="made" value={made} />
      <Field id="name" label="Name" errors={errorsOf("name")}>
        {(ids) => <input {...ids} name="name" required maxLength={100} defaultValue={values.name} className={INPUT} />}
      </Field>
      <fieldset className="flex flex-col gap-1.5">
        <legend className="mb-1.5 font-medium">Type</legend>
        {ENDPOINT_TYPES.map((type) => (
          <label key={type} className="flex items-baseline gap-2">
            <input type="radio" name="type" value={type} defaultChecked={values.type === type} />
            <span>
              {TYPES[type].label} <span className="text-sm text-kumo-subtle">· {TYPES[type].hint}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <Field
        id="url"
        label="URL"
        hint="Of a standard or Slack endpoint: a public https address."
        errors={errorsOf("url")}
      >
        {(ids) => <input {...ids} name="url" inputMode="url" defaultValue={values.url} className={INPUT} />}
      </Field>
      <div className="grid gap-5 sm:grid-cols-2">
        <Field id="service" label="Service binding" optional hint="Of a service: BILLING." errors={errorsOf("service")}>
          {(ids) => <input {...ids} name="service" defaultValue={values.service} className={INPUT} />}
        </Field>
        <Field id="path" label="Path" optional hint="Of a service: /events." errors={errorsOf("path")}>
          {(ids) => <input {...ids} name="path" defaultValue={values.path} className={INPUT} />}
        </Field>
      </div>
      <Field
        id="headers"
        label="Headers"
        optional
        hint="One a line, as in Authorization: Bearer abc. Printable ASCII. What they hold is not shown again."
        errors={errorsOf("headers")}
      >
        {(ids) => <TextArea {...ids} name="headers" rows={3} defaultValue={values.headers} />}
      </Field>
      <Field
        id="secret"
        label="Secret"
        optional
        hint="whsec_ and base64, where the receiver has one already. A standard endpoint gets one otherwise; it is shown once."
        errors={errorsOf("secret")}
      >
        {(ids) => <input {...ids} name="secret" autoComplete="off" className={`${INPUT} font-mono`} />}
      </Field>
      <div>
        <Button type="submit" variant="primary" aria-disabled={busy}>
          {busy ? "Saving…" : "Save endpoint"}
        </Button>
      </div>
    </PostForm>
  );
}
