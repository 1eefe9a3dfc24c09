import { CaretRightIcon } from "@phosphor-icons/react/dist/ssr/CaretRight";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { attemptAddress } from "~/domain/addresses";
import type { AttemptRow, RefusalRow } from "~/domain/feeds";
import { count, duration, firstLine, plural } from "~/domain/format";
import { ownFrames } from "~/domain/job/stack";
import { OUTCOMES, TRIGGERS } from "~/domain/states";
import { Time } from "../time/time";
import { Dot } from "../ui/dot";
import { ScrollText } from "../ui/scroll_text";
import { OutcomeBadge } from "../ui/state_badge";
import { DOT } from "../ui/tone";

type Props = {
  jobId: string;
  attempt: AttemptRow;
  /** Of the attempt before it; null: none, or not at hand. */
  backoffMs: number | null;
  longest: number;
  open: boolean;
  refusals: RefusalRow[];
  beganAnew: ReactNode;
};

/** One attempt: why it began, how long it waited and ran, how it ended. Text is text, whatever is in it. */
export function Attempt({ jobId, attempt, backoffMs, longest, open, refusals, beganAnew }: Props) {
  const { number, trigger, outcome, waitedMs, ranMs, error, stack, log, finishedAt } = attempt;
  return (
    <>
      <li id={`attempt-${number}`} className="flex scroll-mt-20 gap-3 px-4 py-2 target:bg-kumo-elevated">
        <Dot tone={OUTCOMES[outcome].tone} className="mt-1.5" />
        <div className="flex min-w-0 flex-1 flex-col gap-1">
          <div className="flex flex-wrap items-center gap-x-2.5 gap-y-0.5">
            <Link
              to={attemptAddress(jobId, number)}
              preventScrollReset
              className="font-medium text-kumo-default no-underline hover:underline"
            >
              Attempt {count(number)}
            </Link>
            <OutcomeBadge outcome={outcome} />
            <span className="text-sm text-kumo-subtle">{TRIGGERS[trigger]}</span>
            <span className="ml-auto hidden text-sm text-kumo-subtle tabular-nums sm:inline">
              <Time at={finishedAt} />
            </span>
          </div>
          <div className="flex items-center gap-3 text-sm text-kumo-subtle tabular-nums">
            <span className="sm:min-w-68">
              {backoffMs !== null && `backed off ${duration(backoffMs)} · `}waited {duration(waitedMs)} · ran{" "}
              {duration(ranMs)}
              <span className="sm:hidden">
                {" "}
                · <Time at={finishedAt} />
              </span>
            </span>
            <Spans waitedMs={waitedMs} ranMs={ranMs} longest={longest} ran={DOT[OUTCOMES[outcome].tone]} />
          </div>
          {error && !stack && (
            <p className="font-mono text-sm whitespace-pre-wrap text-kumo-danger wrap-anywhere">{error}</p>
          )}
          {stack && (
            <Fold
              label={`Stack of attempt ${number}`}
              open={false}
              summary={<span className="line-clamp-2 font-mono text-kumo-danger">{firstLine(error ?? stack)}</span>}
            >
              {stack}
            </Fold>
          )}
          {stack && <OwnFrames stack={stack} />}
          {log && (
            <Fold
              label={`Log of attempt ${number}`}
              open={open}
              summary={
                <span className="text-kumo-subtle">Log, {plural(log.trimEnd().split("\n").length, "line")}</span>
              }
            >
              {log}
            </Fold>
          )}
          {attempt.cut && (
            <Link
              to={attemptAddress(jobId, number)}
              className="w-fit text-sm text-kumo-link underline underline-offset-2"
            >
              Cut short here: all of attempt {count(number)}
            </Link>
          )}
          {refusals.map((refusal) => (
            <p key={`${refusal.at} ${refusal.outcome}`} className="text-sm text-kumo-warning wrap-anywhere">
              Late result turned away <Time at={refusal.at} />: {OUTCOMES[refusal.outcome].label.toLowerCase()}
              {refusal.error && `, ${firstLine(refusal.error)}`}. It changed nothing.
            </p>
          ))}
        </div>
      </li>
      {beganAnew}
    </>
  );
}

/** Where in the kind's own code it happened: the first thing to know, with no fold to open. */
function OwnFrames({ stack }: { stack: string }) {
  const own = ownFrames(stack);
  if (own.length === 0) return null;
  return (
    <ol aria-label="Own frames" className="flex flex-col pl-4.5 font-mono text-xs leading-5 text-kumo-subtle">
      {[...new Set(own)].map((frame) => (
        <li key={frame} className="wrap-anywhere">
          at {frame}
        </li>
      ))}
    </ol>
  );
}

const Fold = ({
  label,
  summary,
  open,
  children,
}: {
  label: string;
  summary: ReactNode;
  open: boolean;
  children: string;
}) => (
  <details open={open} className="group/fold text-sm">
    <summary className="flex w-fit max-w-full list-none items-start gap-1 rounded wrap-anywhere">
      <CaretRightIcon
        aria-hidden="true"
        size={14}
        className="mt-0.5 shrink-0 transition-transform group-open/fold:rotate-90"
      />
      {summary}
    </summary>
    <ScrollText label={label} className="mt-1.5 max-h-96 rounded-md bg-kumo-recessed p-3 text-xs leading-5">
      {children}
    </ScrollText>
  </details>
);

/** Waiting and running beside the longest attempt on screen. */
const Spans = ({
  waitedMs,
  ranMs,
  longest,
  ran,
}: {
  waitedMs: number;
  ranMs: number;
  longest: number;
  ran: string;
}) => (
  <span aria-hidden="true" className="hidden h-1.5 w-40 overflow-hidden rounded-full bg-kumo-recessed sm:flex">
    <span className="bg-kumo-interact" style={{ width: `${(100 * waitedMs) / longest}%` }} />
    <span className={`min-w-0.5 ${ran}`} style={{ width: `${(100 * ranMs) / longest}%` }} />
  </span>
);
