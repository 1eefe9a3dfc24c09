import { maskedJson, type SecretRules } from "../secrets";
import { FORM_FIELDS, type FormFields } from "./call";

/** A longer payload has no place in an address. */
const PAYLOAD_CHARS = 4_000;

export type FormPlace = {
  kind: string;
  /** The form's id: sent twice, it is one job. */
  form?: string;
  example?: number;
  /** The job that it is made of. */
  from?: string | null;
  as?: "form" | "json";
};

/** The address of the submit form, with what stands in it: all but secrets. */
export function submitAddress(
  { kind, form, example = 0, from, as = "form" }: FormPlace,
  fields?: FormFields,
  rules?: SecretRules,
): string {
  const params = new URLSearchParams({ kind });
  if (from) params.set("from", from);
  if (example > 0) params.set("example", String(example));
  if (as === "json") params.set("as", as);
  for (const [name, value] of fields ? valuesOf(fields, rules) : []) params.set(name, value);
  if (form) params.set("form", form);
  return `/submit?${params}`;
}

function valuesOf(fields: FormFields, rules: SecretRules | undefined): [string, string][] {
  const payload = withoutSecrets(fields.payload, rules);
  return FORM_FIELDS.flatMap((name): [string, string][] => {
    if (name === "kind" || (name === "priority" && fields.priority === "normal")) return [];
    const value = name === "payload" ? (payload ?? "") : fields[name];
    return value === "" || value.length > PAYLOAD_CHARS ? [] : [[name, value]];
  });
}

/** What a form holds, as it may be kept and shown; null: where in it secrets stand cannot be told, for it is no JSON yet. */
export function withoutSecrets(payload: string, rules: SecretRules | undefined): string | null {
  if (!rules?.secrets?.length) return payload;
  try {
    JSON.parse(payload);
    return maskedJson(payload, rules);
  } catch {
    return null;
  }
}

/** What an address says of the fields. */
export const fieldsInAddress = (params: URLSearchParams, usual: FormFields): FormFields => ({
  ...usual,
  ...Object.fromEntries(FORM_FIELDS.flatMap((name) => (params.has(name) ? [[name, params.get(name) ?? ""]] : []))),
  kind: usual.kind,
});
