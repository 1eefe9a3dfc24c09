import type { Channels } from "~/domain/channels";
import { Field, INPUT } from "./ui/field";

type Props = { values: Record<keyof Channels, string>; errorsOf: (field: string) => string[] };

/** Who is told: each may be left empty. */
export const ChannelFields = ({ values, errorsOf }: Props) => (
  <fieldset className="flex flex-col gap-4">
    <legend className="mb-2 font-medium">Who is told</legend>
    <Field id="email" label="E-mail" optional errors={errorsOf("channels.email")}>
      {(ids) => (
        <input
          {...ids}
          name="email"
          type="email"
          autoComplete="off"
          maxLength={254}
          defaultValue={values.email}
          className={INPUT}
        />
      )}
    </Field>
    <Field
      id="slack"
      label="Slack webhook"
      optional
      hint="The URL of an incoming webhook. Whoever knows it can write there."
      errors={errorsOf("channels.slack")}
    >
      {(ids) => (
        <input
          {...ids}
          name="slack"
          inputMode="url"
          autoComplete="off"
          maxLength={2_048}
          defaultValue={values.slack}
          className={INPUT}
        />
      )}
    </Field>
    <Field
      id="webhook"
      label="Webhook"
      optional
      hint="Gets it as JSON, by POST: type, timestamp, data."
      errors={errorsOf("channels.webhook")}
    >
      {(ids) => (
        <input
          {...ids}
          name="webhook"
          inputMode="url"
          autoComplete="off"
          maxLength={2_048}
          defaultValue={values.webhook}
          className={INPUT}
        />
      )}
    </Field>
  </fieldset>
);
