import { hiderOf, maskedJson } from "~/domain/secrets";
import { capText, preview } from "~/domain/text";
import type { Kind } from "~/kinds/define";

const LABEL_CHARS = 200;
const LABEL_BYTES = 600;

/**
 * Lists show it and searches find it, so no secret gets in, and no part of one: it is made of the masked input, where the schema
 * takes that, and cut after all else.
 */
export function labelOf(kind: Kind, payload: string, input: unknown): string | null {
  if (!kind.label) return null;
  const masked = maskedJson(payload, kind);
  const shown = masked === payload ? input : (kind.input.safeParse(JSON.parse(masked)).data ?? input);
  const label = hiderOf(payload, kind)(kind.label(shown)).replace(/\p{Cc}+/gu, " ");
  return label ? capText(preview(label, LABEL_CHARS), LABEL_BYTES) : null;
}
