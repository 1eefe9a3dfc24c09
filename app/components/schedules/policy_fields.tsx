import type { ScheduleFields } from "~/domain/schedules/fields";
import { CATCH_UP_MAX, MISSED, OVERLAP } from "~/domain/schedules/schedule";
import { Field, INPUT } from "../ui/field";

type Props = { values: ScheduleFields; errorsOf: (field: string) => string[] };

/** What becomes of slots that were missed or come too soon, and how its jobs run. */
export const PolicyFields = ({ values, errorsOf }: Props) => (
  <div className="grid gap-4 sm:grid-cols-2">
    <Choice id="missed" label="Missed slots" choices={MISSED} value={values.missed} errors={errorsOf("missed")} />
    <Field
      id="missedMax"
      label="At most, of run all"
      errors={errorsOf("missedMax")}
      hint={`1 to ${CATCH_UP_MAX}: the newest missed slots.`}
    >
      {(ids) => (
        <input
          {...ids}
          name="missedMax"
          inputMode="numeric"
          autoComplete="off"
          defaultValue={values.missedMax}
          className={INPUT}
        />
      )}
    </Field>
    <Choice id="overlap" label="Overlap" choices={OVERLAP} value={values.overlap} errors={errorsOf("overlap")} />
    <Field id="priority" label="Priority" errors={errorsOf("priority")} hint="High waits behind no normal ones.">
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
      hint="The kind's own number when empty."
    >
      {(ids) => (
        <input
          {...ids}
          name="maxAttempts"
          inputMode="numeric"
          autoComplete="off"
          defaultValue={values.maxAttempts}
          className={INPUT}
        />
      )}
    </Field>
  </div>
);

type ChoiceProps = {
  id: string;
  label: string;
  choices: Record<string, { label: string; means: string }>;
  value: string;
  errors: string[];
};

const Choice = ({ id, label, choices, value, errors }: ChoiceProps) => (
  <Field
    id={id}
    label={label}
    errors={errors}
    hint={Object.values(choices)
      .map((choice) => `${choice.label}: ${choice.means}.`)
      .join(" ")}
  >
    {(ids) => (
      <select {...ids} name={id} defaultValue={value} className={INPUT}>
        {Object.entries(choices).map(([name, choice]) => (
          <option key={name} value={name}>
            {choice.label}
          </option>
        ))}
      </select>
    )}
  </Field>
);
