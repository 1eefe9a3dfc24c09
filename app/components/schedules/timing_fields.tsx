import type { ScheduleFields } from "~/domain/schedules/fields";
import { Field, INPUT } from "../ui/field";

type Values = Pick<ScheduleFields, "when" | "cron" | "timeZone" | "everyMinutes" | "anchor">;
type Props = { values: Values; zones: string[]; errorsOf: (field: string) => string[] };

/** When it fires. Both ways of saying it stand there, so that it works without a script; the chosen one counts. */
export const TimingFields = ({ values, zones, errorsOf }: Props) => (
  <fieldset className="flex flex-col gap-4">
    <legend className="mb-2 font-medium">When</legend>
    <div className="grid gap-4 rounded-lg p-3 ring ring-kumo-line has-checked:ring-kumo-brand sm:grid-cols-2">
      <label className="flex items-baseline gap-2 sm:col-span-2">
        <input type="radio" name="when" value="cron" defaultChecked={values.when !== "every"} />
        By a cron expression
      </label>
      <Field
        id="cron"
        label="Expression"
        errors={errorsOf("cron")}
        hint="Minute, hour, day, month, weekday: 30 2 * * * is 02:30 every day."
      >
        {(ids) => (
          <input
            {...ids}
            name="cron"
            autoComplete="off"
            spellCheck={false}
            defaultValue={values.cron}
            className={`${INPUT} font-mono`}
          />
        )}
      </Field>
      <Field id="timeZone" label="Time zone" errors={errorsOf("timeZone")} hint="As in Europe/Berlin.">
        {(ids) => (
          <>
            <input
              {...ids}
              name="timeZone"
              list="zones"
              autoComplete="off"
              spellCheck={false}
              defaultValue={values.timeZone}
              className={INPUT}
            />
            <datalist id="zones">
              {zones.map((zone) => (
                <option key={zone} value={zone} />
              ))}
            </datalist>
          </>
        )}
      </Field>
    </div>
    <div className="grid gap-4 rounded-lg p-3 ring ring-kumo-line has-checked:ring-kumo-brand sm:grid-cols-2">
      <label className="flex items-baseline gap-2 sm:col-span-2">
        <input type="radio" name="when" value="every" defaultChecked={values.when === "every"} />
        Every so many minutes
      </label>
      <Field
        id="everyMinutes"
        label="Minutes"
        errors={errorsOf("everyMinutes")}
        hint="In elapsed time, whatever clocks do."
      >
        {(ids) => (
          <input
            {...ids}
            name="everyMinutes"
            inputMode="numeric"
            autoComplete="off"
            defaultValue={values.everyMinutes}
            className={INPUT}
          />
        )}
      </Field>
      <Field
        id="anchor"
        label="Counted from, UTC"
        optional
        errors={errorsOf("anchor")}
        hint="From this minute when empty."
      >
        {(ids) => <input {...ids} name="anchor" type="datetime-local" defaultValue={values.anchor} className={INPUT} />}
      </Field>
    </div>
  </fieldset>
);
