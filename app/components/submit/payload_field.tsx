import { Link } from "react-router";
import type { FieldIds } from "../ui/field";
import { Field, TEXTAREA } from "../ui/field";

type Props = {
  value: string;
  errors: string[];
  examples: { title: string; address: string; on: boolean }[];
};

/** The kind's input as JSON, to start from one of its examples. */
export const PayloadField = ({ value, errors, examples }: Props) => (
  <Field
    id="payload"
    label="Payload"
    errors={errors}
    hint="The kind's input, as JSON. Its text is stored as you type it."
  >
    {(ids: FieldIds) => (
      <>
        {examples.length > 1 && (
          <ul aria-label="Examples" className="flex flex-wrap gap-1.5">
            {examples.map(({ title, address, on }) => (
              <li key={title}>
                <Link
                  to={address}
                  replace
                  preventScrollReset
                  aria-current={on ? "true" : undefined}
                  className={`block rounded-full px-2.5 py-0.5 text-sm no-underline ring ${
                    on
                      ? "bg-kumo-info-tint text-kumo-info ring-kumo-info/40"
                      : "bg-kumo-base text-kumo-subtle ring-kumo-line hover:text-kumo-default"
                  }`}
                >
                  {title}
                </Link>
              </li>
            ))}
          </ul>
        )}
        <textarea {...ids} name="payload" rows={9} spellCheck={false} defaultValue={value} className={TEXTAREA} />
      </>
    )}
  </Field>
);
