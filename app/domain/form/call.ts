/** What the submit form asks for, as its fields hold it. */
export type FormFields = {
  kind: string;
  payload: string;
  delaySeconds: string;
  runAt: string;
  priority: string;
  maxAttempts: string;
  expiresAt: string;
  groupKey: string;
  idempotencyKey: string;
};

export const FORM_FIELDS = [
  "kind",
  "payload",
  "delaySeconds",
  "runAt",
  "priority",
  "maxAttempts",
  "expiresAt",
  "groupKey",
  "idempotencyKey",
] as const;

export const fieldsOf = (form: { get: (name: string) => unknown }): FormFields =>
  Object.fromEntries(FORM_FIELDS.map((name) => [name, String(form.get(name) ?? "")])) as FormFields;

/**
 * The same request as a call to the API: it then goes the way of every call, with the same checks. The payload's text is
 * put in as it is, so it must be JSON already; the other fields are only spelled as JSON, right or wrong.
 */
export function callText(fields: FormFields): string {
  const members: [string, string][] = [
    ["kind", JSON.stringify(fields.kind)],
    ["payload", payloadText(fields.payload)],
  ];
  const add = (name: string, value: string) => value !== "" && members.push([name, value]);
  add("delaySeconds", numberText(fields.delaySeconds));
  add("runAt", fields.runAt.trim() && JSON.stringify(utcOf(fields.runAt.trim())));
  add("priority", fields.priority && fields.priority !== "normal" ? JSON.stringify(fields.priority) : "");
  add("maxAttempts", numberText(fields.maxAttempts));
  add("expiresAt", fields.expiresAt.trim() && JSON.stringify(utcOf(fields.expiresAt.trim())));
  add("groupKey", fields.groupKey && JSON.stringify(fields.groupKey));
  add("idempotencyKey", fields.idempotencyKey && JSON.stringify(fields.idempotencyKey));
  return `{${members.map(([name, value]) => `"${name}": ${value}`).join(", ")}}`;
}

/** Forms send line ends their own way; what was typed is what is stored. */
export const payloadText = (text: string): string => text.replaceAll("\r\n", "\n").trim();

function numberText(text: string): string {
  const typed = text.trim();
  return /^-?\d+(\.\d+)?$/.test(typed) ? typed.replace(/^(-?)0+(?=\d)/, "$1") : typed && JSON.stringify(typed);
}

/** A date field has no zone: ours is labelled UTC. */
const utcOf = (text: string): string =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?$/.test(text) ? `${text.length === 16 ? `${text}:00` : text}Z` : text;
