import type { FieldIds } from "../ui/field";
import { Field } from "../ui/field";
import { TextArea } from "../ui/text_area";

/** The kind's input as JSON. */
export const PayloadField = ({ value, errors, note }: { value: string; errors: string[]; note?: string }) => (
  <Field
    id="payload"
    label="Payload"
    errors={errors}
    hint={note ?? "The kind's input, as JSON. Its text is stored as you type it."}
  >
    {(ids: FieldIds) => <TextArea {...ids} name="payload" rows={9} defaultValue={value} />}
  </Field>
);
