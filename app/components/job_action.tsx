import { useId } from "react";
import { useLocation } from "react-router";
import { jobAddress } from "~/domain/addresses";
import type { NoticeCode } from "~/domain/notices";
import { Allowed } from "./rights";
import { useSend } from "./send";
import { useSay } from "./shell/toasts";
import { Button } from "./ui/button";

const VERBS = {
  requeue: { label: "Requeue", pending: "Requeueing…" },
  cancel: { label: "Cancel", pending: "Cancelling…" },
} as const;

type Props = {
  verb: keyof typeof VERBS;
  jobId: string;
  /** What the button speaks of, for those who cannot see its row. */
  of: string;
  /** The one on screen: a job that somebody else requeued meanwhile is left alone. */
  generation: number;
  /** Why it cannot be done. */
  disabled?: string | null;
  size?: "row" | "base";
  primary?: boolean;
};

/** One action on one job: a small form, so that it works without a script. Says what came of it, not what was wished. */
export function JobAction({ verb, jobId, of, generation, disabled, size = "base", primary = false }: Props) {
  const say = useSay();
  const { sent, onSubmit } = useSend<NoticeCode>((notice) => say(notice ?? { code: "no-answer", jobId }));
  const reasonId = useId();
  const { pathname, search } = useLocation();

  const { label, pending } = VERBS[verb];
  // As wide as its longest word: nothing moves when it is pressed.
  const className = size === "row" ? "flex min-w-26" : "w-full min-w-27 sm:min-w-30";
  const look = {
    className,
    size,
    variant: primary ? "primary" : verb === "cancel" ? "secondary-destructive" : "secondary",
  } as const;
  // One and the same button whether it can be pressed or not: whoever pressed it keeps the focus when it no longer can.
  return (
    <Allowed send={`${jobAddress(jobId)}/${verb}`}>
      <form
        method="post"
        action={`${jobAddress(jobId)}/${verb}`}
        onSubmit={onSubmit}
        title={disabled ?? undefined}
        className="inline-block"
      >
        <input type="hidden" name="generation" value={generation} />
        <input type="hidden" name="back" value={pathname + search} />
        <Button
          {...look}
          {...{ [`data-${verb}`]: "" }}
          type={disabled ? "button" : "submit"}
          aria-disabled={Boolean(disabled) || sent !== null}
          aria-describedby={disabled ? reasonId : undefined}
        >
          {sent ? pending : label}
          <span className="sr-only">{` ${of}`}</span>
        </Button>
        {disabled && (
          <span id={reasonId} className="sr-only">
            {disabled}
          </span>
        )}
      </form>
    </Allowed>
  );
}
