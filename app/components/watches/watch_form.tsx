import { useRef } from "react";
import type { PreviewAnswer } from "~/domain/schedules/form";
import type { Problem } from "~/domain/submission";
import type { WatchFields } from "~/domain/watches/form";
import { COMPARISONS, type Comparison } from "~/domain/watches/watch";
import { ChannelFields } from "../channel_fields";
import { PostForm, useSending } from "../post_form";
import { PreviewCard } from "../schedules/preview_card";
import { TimingFields } from "../schedules/timing_fields";
import { usePreview } from "../schedules/use_preview";
import { Button } from "../ui/button";
import { Card } from "../ui/card";
import { Field, INPUT } from "../ui/field";

type Props = {
  /** Of the form: sent twice, it makes one watch. */
  id: string;
  values: WatchFields;
  problems: Problem[];
  answer: PreviewAnswer;
  zones: string[];
  label: string;
};

/** The whole of a watch. While times are typed the preview follows; without a script a button asks for it. */
export function WatchForm({ id, values, problems, answer, zones, label }: Props) {
  const busy = useSending();
  const form = useRef<HTMLFormElement>(null);
  const preview = usePreview(form, { answer, zone: values.timeZone });
  const errorsOf = (field: string) => problems.flatMap(({ path, message }) => (path === field ? message : []));
  return (
    <div className="grid items-start gap-5 xl:grid-cols-[minmax(0,1fr)_30rem]">
      <Card>
        <PostForm ref={form} className="flex flex-col gap-5">
          <input type="hidden" name="id" value={id} />
          <input type="hidden" name="version" defaultValue={values.version} />
          <Field id="name" label="Name" errors={errorsOf("name")} hint="For lists and messages.">
            {(ids) => (
              <input
                {...ids}
                name="name"
                autoComplete="off"
                maxLength={100}
                defaultValue={values.name}
                className={INPUT}
              />
            )}
          </Field>
          <Field id="url" label="Page" errors={errorsOf("url")} hint="A public https address. Redirects are followed.">
            {(ids) => (
              <input
                {...ids}
                name="url"
                inputMode="url"
                autoComplete="off"
                maxLength={2_048}
                defaultValue={values.url}
                className={INPUT}
              />
            )}
          </Field>
          <div className="grid gap-5 sm:grid-cols-2">
            <Field
              id="selector"
              label="Selector"
              optional
              errors={errorsOf("selector")}
              hint="CSS, as in #price or .offer > b. The whole page when empty."
            >
              {(ids) => (
                <input
                  {...ids}
                  name="selector"
                  spellCheck={false}
                  autoComplete="off"
                  maxLength={500}
                  defaultValue={values.selector}
                  className={`${INPUT} font-mono`}
                />
              )}
            </Field>
            <Field
              id="attribute"
              label="Attribute"
              optional
              errors={errorsOf("attribute")}
              hint="Instead of the text: content, of a meta element."
            >
              {(ids) => (
                <input
                  {...ids}
                  name="attribute"
                  spellCheck={false}
                  autoComplete="off"
                  defaultValue={values.attribute}
                  className={`${INPUT} font-mono`}
                />
              )}
            </Field>
          </div>
          <fieldset className="flex flex-col gap-1.5">
            <legend className="mb-1.5 font-medium">What counts as a change</legend>
            {(Object.keys(COMPARISONS) as Comparison[]).map((name) => (
              <label key={name} className="flex items-baseline gap-2">
                <input type="radio" name="compare" value={name} defaultChecked={values.compare === name} />
                <span>
                  {COMPARISONS[name].label}{" "}
                  <span className="text-sm text-kumo-subtle">· {COMPARISONS[name].means}</span>
                </span>
              </label>
            ))}
          </fieldset>
          <div onInput={preview.ask}>
            <TimingFields values={values} zones={zones} errorsOf={errorsOf} />
          </div>
          <ChannelFields values={values} errorsOf={errorsOf} />
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
