import type { FormFields } from "~/domain/form/call";
import { Field, INPUT } from "../ui/field";

type Props = {
  values: FormFields;
  errorsOf: (field: keyof FormFields) => string[];
  maxAttempts: number;
  alwaysLong: boolean;
};

/** When, how urgent, how often: all of it may be left alone. */
export const Options = ({ values, errorsOf, maxAttempts, alwaysLong }: Props) => (
  <div className="grid gap-4 sm:grid-cols-2">
    <Field
      id="delaySeconds"
      label="Delay in seconds"
      optional
      errors={errorsOf("delaySeconds")}
      hint="Starts at once when empty."
    >
      {(ids) => (
        <input {...ids} name="delaySeconds" inputMode="numeric" defaultValue={values.delaySeconds} className={INPUT} />
      )}
    </Field>
    <Field
      id="runAt"
      label="Or run at, UTC"
      optional
      errors={errorsOf("runAt")}
      hint="A time that has passed means at once."
    >
      {(ids) => (
        <input {...ids} name="runAt" type="datetime-local" step="1" defaultValue={values.runAt} className={INPUT} />
      )}
    </Field>
    <Field
      id="priority"
      label="Priority"
      errors={errorsOf("priority")}
      hint={alwaysLong ? "Of no effect: this kind has its own lane." : "High waits behind no normal ones."}
    >
      {(ids) => (
        <select {...ids} name="priority" defaultValue={values.priority || "normal"} className={INPUT}>
          <option value="normal">Normal</option>
          <option value="high">High</option>
        </select>
      )}
    </Field>
    <Field
      id="maxAttempts"
      label="Tries at most"
      optional
      errors={errorsOf("maxAttempts")}
      hint={`${maxAttempts} when empty, the first one included.`}
    >
      {(ids) => (
        <input {...ids} name="maxAttempts" inputMode="numeric" defaultValue={values.maxAttempts} className={INPUT} />
      )}
    </Field>
    <Field
      id="expiresAt"
      label="Expires, UTC"
      optional
      errors={errorsOf("expiresAt")}
      hint="Not started from then on, but dead."
    >
      {(ids) => (
        <input
          {...ids}
          name="expiresAt"
          type="datetime-local"
          step="1"
          defaultValue={values.expiresAt}
          className={INPUT}
        />
      )}
    </Field>
    <Field
      id="groupKey"
      label="Group"
      optional
      errors={errorsOf("groupKey")}
      hint="What it belongs to, as in customer-7. Kinds can limit how many of a group run at once."
    >
      {(ids) => <input {...ids} name="groupKey" spellCheck={false} defaultValue={values.groupKey} className={INPUT} />}
    </Field>
    <Field
      id="idempotencyKey"
      label="Idempotency key"
      optional
      className="sm:col-span-2"
      errors={errorsOf("idempotencyKey")}
      hint="Name what you want done, as in welcome-email:42: however often it is submitted, there is one job."
    >
      {(ids) => (
        <input
          {...ids}
          name="idempotencyKey"
          spellCheck={false}
          defaultValue={values.idempotencyKey}
          className={`${INPUT} font-mono text-sm`}
        />
      )}
    </Field>
  </div>
);
