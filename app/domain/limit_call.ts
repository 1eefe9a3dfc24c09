import { z } from "zod";
import { type KindLimits, LIMIT_MAX, PERS } from "./kind_limits";
import { REASON_CHARS } from "./limits";

const right = `must be a whole number from 1 to ${LIMIT_MAX}, or be left out`;
const number = z.int(right).min(1, right).max(LIMIT_MAX, right);

/** Limits of a kind in place of those of its definition; what is left out is not limited. null: those of the definition again. */
export const LIMIT_KIND = z.strictObject({
  limits: z
    .strictObject({
      running: number.optional(),
      perGroup: number.optional(),
      rate: z.strictObject({ jobs: number, per: z.enum(PERS as [(typeof PERS)[number], ...typeof PERS]) }).optional(),
    })
    .nullable(),
  reason: z.string().trim().max(REASON_CHARS).optional(),
});

/** The same from the fields of a form: an empty one limits nothing. null: a field holds no number that a limit can be. */
export function limitsOfForm(form: { get: (name: string) => unknown }): { limits: KindLimits | null } | null {
  if (form.get("as") === "defined") return { limits: null };
  const field = (name: string) => String(form.get(name) ?? "").trim();
  const numberOf = (name: string) =>
    field(name) === "" ? undefined : /^\d+$/.test(field(name)) ? Number(field(name)) : Number.NaN;
  const jobs = numberOf("rate");
  const read = LIMIT_KIND.safeParse({
    limits: {
      running: numberOf("running"),
      perGroup: numberOf("perGroup"),
      rate: jobs === undefined ? undefined : { jobs, per: field("per") },
    },
  });
  return read.success ? { limits: read.data.limits } : null;
}
