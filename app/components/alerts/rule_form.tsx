import { CONDITION_NAMES, CONDITIONS } from "~/domain/alerts/alerts";
import type { RuleFields } from "~/domain/alerts/form";
import type { Problem } from "~/domain/submission";
import { ChannelFields } from "../channel_fields";
import { PostForm, useSending } from "../post_form";
import { Button } from "../ui/button";
import { Field, INPUT } from "../ui/field";

type Props = {
  /** Of the form: sent twice, it makes one rule. */
  id: string;
  values: RuleFields;
  problems: Problem[];
  kinds: string[];
  label: string;
};

/** The whole of a rule: what it asks, how often it tells, and whom. */
export function RuleForm({ id, values, problems, kinds, label }: Props) {
  const busy = useSending();
  const errorsOf = (field: string) => problems.flatMap(({ path, message }) => (path === field ? message : []));
  return (
    <PostForm className="flex max-w-2xl flex-col gap-5">
      <input type="hidden" name="id" value={id} />
      <input type="hidden" name="version" defaultValue={values.version} />
      <Field id="name" label="Name" errors={errorsOf("name")}>
        {(ids) => (
          <input {...ids} name="name" autoComplete="off" maxLength={100} defaultValue={values.name} className={INPUT} />
        )}
      </Field>
      <fieldset className="flex flex-col gap-1.5">
        <legend className="mb-1.5 font-medium">What it counts</legend>
        {CONDITION_NAMES.map((name) => (
          <label key={name} className="flex items-baseline gap-2">
            <input type="radio" name="condition" value={name} defaultChecked={values.condition === name} />
            <span>
              {CONDITIONS[name].label} <span className="text-sm text-kumo-subtle">· {CONDITIONS[name].means}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <Field
        id="kind"
        label="Kind"
        optional
        errors={errorsOf("kind")}
        hint="Only dead jobs of this kind; all when empty."
      >
        {(ids) => (
          <>
            <input
              {...ids}
              name="kind"
              list="kinds"
              autoComplete="off"
              spellCheck={false}
              defaultValue={values.kind}
              className={INPUT}
            />
            <datalist id="kinds">
              {kinds.map((kind) => (
                <option key={kind} value={kind} />
              ))}
            </datalist>
          </>
        )}
      </Field>
      <div className="grid gap-5 sm:grid-cols-3">
        <Count name="moreThan" label="More than" hint="0: from the first on." values={values} errorsOf={errorsOf} />
        <Count name="windowMinutes" label="Within minutes" hint="Up to 1,440." values={values} errorsOf={errorsOf} />
        <Count
          name="remindMinutes"
          label="Told again after minutes"
          hint="While it stays true; 0: never."
          values={values}
          errorsOf={errorsOf}
        />
      </div>
      <ChannelFields values={values} errorsOf={errorsOf} />
      <div>
        <Button type="submit" variant="primary" aria-disabled={busy}>
          {busy ? "Saving…" : label}
        </Button>
      </div>
    </PostForm>
  );
}

type CountProps = {
  name: "moreThan" | "windowMinutes" | "remindMinutes";
  label: string;
  hint: string;
  values: RuleFields;
  errorsOf: (field: string) => string[];
};

const Count = ({ name, label, hint, values, errorsOf }: CountProps) => (
  <Field id={name} label={label} hint={hint} errors={errorsOf(name)}>
    {(ids) => (
      <input
        {...ids}
        name={name}
        inputMode="numeric"
        autoComplete="off"
        defaultValue={values[name]}
        className={INPUT}
      />
    )}
  </Field>
);
