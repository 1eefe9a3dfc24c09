import { useId, useState } from "react";
import type { Beside } from "~/domain/bulk/beside";
import { BULK_ACTIONS, confirmFor, filterText } from "~/domain/bulk/bulk";
import { count, plural } from "~/domain/format";
import { REASON_CHARS } from "~/domain/limits";
import { useHydrated } from "../time/now";
import { Button } from "../ui/button";
import { Field, INPUT } from "../ui/field";
import type { Question } from "./question";

const MEANS = {
  requeue: "Each runs again as its next generation, with all its tries. Its history stays.",
  cancel: "Those that wait end at once. Those that run are asked to stop.",
  delete: "The jobs go with their history, for good.",
} as const;

const NAMES = 10;
const PARTS = 5;

export const titleOf = ({ action, n }: Pick<Question, "action" | "n">): string =>
  `${BULK_ACTIONS[action].label} ${plural(n, "job")}?`;

/** What is asked before many jobs are touched: the more they are, the more is said of them. */
export function ConfirmFields({
  question,
  beside,
  problem,
  sending,
  onClose,
}: {
  question: Question;
  beside: Beside[];
  /** Why it was not taken. */
  problem: string | null;
  sending: boolean;
  /** None: a page, which one leaves by going back. */
  onClose?: () => void;
}) {
  const { action, n, filter, left, parts, names, reason } = question;
  const id = useId();
  const hydrated = useHydrated();
  const [typed, setTyped] = useState("");
  const asked = confirmFor(action, n);
  const right = typed.replace(/[\s,.']/g, "") === String(n);
  const waits = hydrated && asked === "typed" && !right;
  return (
    <>
      <div className="flex flex-col gap-3 text-base">
        <p className="wrap-anywhere">
          {filter
            ? `All ${filterText(filter)}, as they are at the moment of pressing. Later ones are not touched${filter.kind === undefined ? ", nor are operations" : ""}. `
            : ""}
          {MEANS[action]}
        </p>
        {left > 0 && (
          <p className="text-kumo-subtle">
            {count(left)} more selected {left === 1 ? "is" : "are"} left alone: {BULK_ACTIONS[action].unfit}.
          </p>
        )}
        {(asked === "counted" || asked === "typed") && <What parts={parts} names={names} n={n} />}
        {beside.map(({ tone, text }) => (
          <p key={text} className={tone === "warning" ? "text-kumo-warning" : "text-kumo-subtle"}>
            {text}
          </p>
        ))}
        {problem && (
          <p role="alert" className="font-medium text-kumo-danger">
            {problem}
          </p>
        )}
      </div>
      {asked === "typed" && (
        <Field id={`${id}-count`} label={`Type ${count(n)} to confirm`}>
          {(ids) => (
            <input
              {...ids}
              name="confirm"
              inputMode="numeric"
              autoComplete="off"
              required
              value={hydrated ? typed : undefined}
              onChange={(event) => setTyped(event.target.value)}
              data-first={onClose ? "" : undefined}
              className={`${INPUT} max-w-40`}
            />
          )}
        </Field>
      )}
      {filter && (
        <Field id={`${id}-pace`} label="Pace" optional hint="Jobs a minute at most. Empty: as fast as it goes.">
          {(ids) => (
            <input
              {...ids}
              name="pace"
              inputMode="numeric"
              pattern="[0-9]*"
              autoComplete="off"
              className={`${INPUT} max-w-40`}
            />
          )}
        </Field>
      )}
      <Field id={`${id}-reason`} label="Reason" optional hint="Kept with who did it.">
        {(ids) => (
          <input
            {...ids}
            name="reason"
            maxLength={REASON_CHARS}
            autoComplete="off"
            defaultValue={reason}
            className={INPUT}
          />
        )}
      </Field>
      <div className="flex flex-wrap justify-end gap-2">
        {onClose && <Button onClick={onClose}>Back</Button>}
        <Button
          type="submit"
          variant={action === "requeue" ? "primary" : "secondary-destructive"}
          aria-disabled={sending || waits}
          onClick={(event) => (sending || waits) && event.preventDefault()}
          data-first={onClose && asked !== "typed" ? "" : undefined}
        >
          {sending ? `${BULK_ACTIONS[action].doing}…` : `${BULK_ACTIONS[action].label} ${plural(n, "job")}`}
        </Button>
      </div>
    </>
  );
}

const What = ({ parts, names, n }: Pick<Question, "parts" | "names" | "n">) => (
  <>
    {parts.length > 0 && (
      <ul aria-label="What they are" className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
        {parts.slice(0, PARTS).map((part) => (
          <li key={part.label} className="tabular-nums wrap-anywhere">
            <span className="font-medium">{count(part.n)}</span> {part.label}
          </li>
        ))}
        {parts.length > PARTS && <li className="text-kumo-subtle">and {plural(parts.length - PARTS, "other kind")}</li>}
      </ul>
    )}
    {names.length > 0 && (
      <p className="text-sm text-kumo-subtle wrap-anywhere">
        {names.slice(0, NAMES).join(", ")}
        {n > NAMES && ` + ${count(n - Math.min(NAMES, names.length))} more`}
      </p>
    )}
  </>
);
