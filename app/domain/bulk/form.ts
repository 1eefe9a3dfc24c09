import { BULK_IDS } from "../limits";
import { type Problem, problemsOf } from "../submission";
import type { BulkFilter } from "./bulk";
import { BULK, type BulkCall } from "./call";

/** What a bulk form asks: named jobs, and in which list they were ticked; or everything that matches. */
export type BulkForm =
  | { kind: "call"; call: BulkCall }
  | { kind: "nothing" }
  | { kind: "refused"; status: 400 | 413; problems: Problem[] };

/** Reads a form, or the address of the page that asks before it acts. `operation`: everything that matches is meant. */
export function bulkFormOf(form: FormData | URLSearchParams): BulkForm {
  const text = (name: string): string | undefined => {
    const value = form.get(name);
    return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
  };
  const number = (name: string): number | undefined => {
    const digits = text(name)?.replace(/[\s,.']/g, "");
    return digits === undefined ? undefined : /^\d{1,15}$/.test(digits) ? Number(digits) : Number.NaN;
  };
  const operation = text("operation");
  const ids = [...new Set(form.getAll("id").filter((id): id is string => typeof id === "string"))];
  if (operation === undefined && ids.length === 0) return { kind: "nothing" };
  if (ids.length > BULK_IDS) {
    const message = `at most ${BULK_IDS} jobs can be selected one by one`;
    return { kind: "refused", status: 413, problems: [{ path: "id", message, limit: BULK_IDS }] };
  }
  const filter =
    text("view") === undefined
      ? undefined
      : given({
          view: text("view"),
          kind: text("kind"),
          cause: text("cause"),
          // Named jobs were seen to match the rest of the box when they were ticked.
          q: operation === undefined ? undefined : text("q"),
        });
  const whole = operation === undefined ? { ids } : { id: operation, pace: number("pace"), confirm: number("confirm") };
  const parsed = BULK.safeParse({
    action: text("action"),
    filter,
    reason: text("reason"),
    ...given(whole),
  });
  return parsed.success
    ? { kind: "call", call: parsed.data }
    : { kind: "refused", status: 400, problems: problemsOf(parsed.error) };
}

/** The form's hidden fields that say the same again. */
export const fieldsOf = (call: { action: string; filter?: BulkFilter; id?: string }): [string, string][] => [
  ["action", call.action],
  ...Object.entries(call.filter ?? {}),
  ...(call.id === undefined ? [] : [["operation", call.id] as [string, string]]),
];

const given = <T extends object>(value: T | undefined): Partial<T> | undefined =>
  value && (Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as Partial<T>);
