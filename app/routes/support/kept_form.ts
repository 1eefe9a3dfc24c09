import { type RefObject, useEffect } from "react";
import { withoutSecrets } from "~/domain/form/address";
import { FORM_FIELDS } from "~/domain/form/call";
import type { SecretRules } from "~/domain/secrets";

const NAMES = [...FORM_FIELDS, "form"];

/** Before a form leaves for its job's page: what Back should bring back, as browsers do it for plain forms, but no secret. */
export function keepForm(form: HTMLFormElement, id: string, rules: SecretRules): void {
  const all = NAMES.map((name) => [name, fieldOf(form, name)?.value ?? ""]);
  const values = Object.fromEntries(all) as Record<string, string>;
  values.payload = withoutSecrets(values.payload ?? "", rules) ?? "";
  try {
    sessionStorage.setItem(`form ${id}`, JSON.stringify(values));
  } catch {
    // Full or forbidden: then Back shows the form as it began.
  }
}

/** Brings back what `keepForm` kept, if it was of the same kind. `onReady`: the fields hold what they begin with. */
export function useKeptForm(ref: RefObject<HTMLFormElement | null>, id: string, onReady: () => void): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the form appears, not when it is drawn again
  useEffect(() => {
    if (!ref.current) return;
    restore(ref.current, sessionStorage.getItem(`form ${id}`));
    onReady();
  }, [id]);
}

function restore(form: HTMLFormElement, kept: string | null): void {
  const values = kept ? (JSON.parse(kept) as Record<string, string>) : {};
  if (values.kind !== fieldOf(form, "kind")?.value) return;
  for (const name of NAMES) {
    const field = fieldOf(form, name);
    if (field && values[name] !== undefined) field.value = values[name];
  }
}

const fieldOf = (form: HTMLFormElement, name: string) => form.elements.namedItem(name) as HTMLInputElement | null;
