import type { Draft } from "~/domain/form/draft";
import { DRAWN } from "~/domain/form/sent";
import type { Spec } from "~/domain/form/spec";
import { Field, INPUT } from "../ui/field";
import { TextArea } from "../ui/text_area";

export type Drawn = {
  draft: Draft;
  /** What is wrong with the value at a path; `within`: or with what is in it. */
  errorsAt: (path: string, within: boolean) => string[];
  /** Uploaded files to choose from. */
  files: { id: string; name: string }[];
};

export type PartProps = Drawn & { spec: Spec; at: string; label: string };

/** The field of one value. */
export function Leaf({ spec, at, label, draft, errorsAt, files }: PartProps) {
  const name = `${DRAWN}${at}`;
  const value = draft[at] ?? "";
  const common = { name, spellCheck: false, autoComplete: "off" } as const;
  const hint = [spec.hint, HINTS[spec.draws]].filter(Boolean).join(" ") || undefined;
  return (
    <Field id={name} label={label} optional={!spec.required} hint={hint} errors={errorsAt(at, true)}>
      {(ids) => {
        switch (spec.draws) {
          case "text":
          case "json":
            return (
              <TextArea
                {...ids}
                name={name}
                rows={spec.orText ? 1 : 3}
                defaultValue={value}
                className="field-sizing-content max-h-96"
              />
            );
          case "yes-no":
            return <Choice {...ids} name={name} value={value} options={YES_NO} />;
          case "choice":
            return (
              <Choice {...ids} name={name} value={value} options={(spec.options ?? []).map((one) => [one, one])} />
            );
          case "file":
            return files.length > 0 ? (
              <Choice {...ids} name={name} value={value} options={files.map((file) => [file.id, file.name])} />
            ) : (
              <input {...ids} {...common} defaultValue={value} className={INPUT} />
            );
          default:
            return (
              <input
                {...ids}
                {...common}
                type={typeOf(spec, value)}
                step={spec.draws === "time" ? 1 : undefined}
                inputMode={spec.draws === "number" ? "decimal" : undefined}
                defaultValue={plain(value)}
                className={INPUT}
              />
            );
        }
      }}
    </Field>
  );
}

const HINTS: Partial<Record<Spec["draws"], string>> = { json: "JSON.", time: "UTC.", file: "One of the newest files." };
const YES_NO: [string, string][] = [
  ["true", "yes"],
  ["false", "no"],
];

/** A time of another zone, or a day that is none, has no place in a picker: it is shown as it is. */
function typeOf({ draws }: Spec, value: string): string {
  if (draws === "date" && /^(\d{4}-\d\d-\d\d)?$/.test(value)) return "date";
  if (draws === "time" && (value === "" || PICKED.test(value))) return "datetime-local";
  return "text";
}
const PICKED = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?Z?$/;
const plain = (value: string): string => (PICKED.test(value) ? value.replace("Z", "") : value);

function Choice({ value, options, ...rest }: { name: string; value: string; options: [string, string][] }) {
  const known = value === "" || options.some(([one]) => one === value);
  return (
    <select {...rest} defaultValue={value} className={INPUT}>
      <option value="">not given</option>
      {!known && <option value={value}>{value}</option>}
      {options.map(([one, text]) => (
        <option key={one} value={one}>
          {text === "\t" ? "tab" : text}
        </option>
      ))}
    </select>
  );
}
