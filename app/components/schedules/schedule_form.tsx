import { useRef } from "react";
import type { ScheduleFields } from "~/domain/schedules/fields";
import type { PreviewAnswer } from "~/domain/schedules/form";
import type { Problem } from "~/domain/submission";
import { PostForm, useSending } from "../post_form";
import { Button } from "../ui/button";
import { Card } from "../ui/card";
import { Field, INPUT } from "../ui/field";
import { TextArea } from "../ui/text_area";
import { PolicyFields } from "./policy_fields";
import { PreviewCard } from "./preview_card";
import { TimingFields } from "./timing_fields";
import { usePreview } from "./use_preview";

type Props = {
  values: ScheduleFields;
  problems: Problem[];
  answer: PreviewAnswer;
  kinds: { name: string; title: string; description: string }[];
  zones: string[];
  label: string;
};

/** The whole of a schedule. While times are typed the preview follows; without a script a button asks for it. */
export function ScheduleForm({ values, problems, answer, kinds, zones, label }: Props) {
  const busy = useSending();
  const form = useRef<HTMLFormElement>(null);
  const preview = usePreview(form, { answer, zone: values.timeZone });
  const errorsOf = (field: string) =>
    problems
      .filter(({ path }) => path === field || path.startsWith(`${field}.`))
      .map(({ path, message }) => (path === field ? message : `${path.slice(field.length + 1)}: ${message}`));
  return (
    <div className="grid items-start gap-5 xl:grid-cols-[minmax(0,1fr)_30rem]">
      <Card>
        <PostForm ref={form} className="flex flex-col gap-5">
          <input type="hidden" name="version" defaultValue={values.version} />
          <Field id="name" label="Name" errors={errorsOf("name")} hint="No two schedules have the same.">
            {(ids) => <input {...ids} name="name" autoComplete="off" defaultValue={values.name} className={INPUT} />}
          </Field>
          <div onInput={preview.ask}>
            <TimingFields values={values} zones={zones} errorsOf={errorsOf} />
          </div>
          <Field id="kind" label="Kind" errors={errorsOf("kind")}>
            {(ids) => (
              <select {...ids} name="kind" defaultValue={values.kind} className={INPUT}>
                {kinds.map(({ name, title }) => (
                  <option key={name} value={name}>
                    {title} ({name})
                  </option>
                ))}
              </select>
            )}
          </Field>
          <Field
            id="payload"
            label="Payload"
            errors={errorsOf("payload")}
            hint="The kind's input, as JSON: each job gets it."
          >
            {(ids) => <TextArea {...ids} name="payload" rows={6} defaultValue={values.payload} />}
          </Field>
          <PolicyFields values={values} errorsOf={errorsOf} />
          <div className="flex flex-wrap gap-2">
            <Button type="submit" variant="primary" aria-disabled={busy}>
              {busy ? "Saving…" : label}
            </Button>
            <noscript>
              <Button type="submit" name="preview" value="on">
                Preview
              </Button>
            </noscript>
          </div>
        </PostForm>
      </Card>
      <PreviewCard answer={preview.answer} zone={preview.zone} />
    </div>
  );
}
