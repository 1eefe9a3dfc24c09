import type { Delimiter, Format } from "~/domain/files/files";
import { Field, INPUT } from "../ui/field";

const FORMATS: Record<Format, string> = {
  auto: "By its name",
  csv: "CSV",
  ndjson: "NDJSON",
  bytes: "Only size and SHA-256",
};
const DELIMITERS: Record<Delimiter, string> = { ",": "Comma", ";": "Semicolon", "\t": "Tab", "|": "Bar" };

/** How a file is to be read. */
export const ReadingFields = ({ id }: { id: string }) => (
  <div className="grid gap-4 sm:grid-cols-2">
    <Field
      id={`${id}-format`}
      label="Format"
      hint="By its name: .csv, .ndjson and .jsonl have rows, all else is bytes."
    >
      {(ids) => (
        <select {...ids} name="format" className={INPUT}>
          {Object.entries(FORMATS).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      )}
    </Field>
    <Field id={`${id}-delimiter`} label="Separator" hint="Between the fields of a CSV file.">
      {(ids) => (
        <select {...ids} name="delimiter" className={INPUT}>
          {Object.entries(DELIMITERS).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      )}
    </Field>
    <label className="flex items-start gap-2 text-base sm:col-span-2">
      <input type="checkbox" name="lenient" value="yes" className="mt-1 size-4" />
      <span>
        Report broken CSV rows and go on
        <span className="block text-sm text-kumo-subtle">
          Otherwise a row with more fields than the header, or a broken quote, ends the job: what follows it is
          doubtful.
        </span>
      </span>
    </label>
  </div>
);
