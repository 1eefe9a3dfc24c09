import { useId } from "react";
import { useLocation } from "react-router";
import { jobsAddress, kindAddress } from "~/domain/addresses";
import type { KindRow } from "~/domain/bulk/feeds";
import { count } from "~/domain/format";
import { LIMIT_MAX, limitWords, PERS } from "~/domain/kind_limits";
import { REASON_CHARS } from "~/domain/limits";
import type { NoticeCode } from "~/domain/notices";
import { Allowed } from "../rights";
import { useSend } from "../send";
import { useSay } from "../shell/toasts";
import { Time } from "../time/time";
import { Button } from "../ui/button";
import { INPUT, SELECT } from "../ui/field";
import { TextLink } from "../ui/text_link";

/** How many of a kind run at once and start in a time: what is in force, who has set it, and a form that works without a script. */
export function KindLimits({ kind }: { kind: KindRow }) {
  const { defined, set } = kind.limits;
  const inForce = set?.limits ?? defined;
  const words = limitWords(inForce);
  const running = kind.counts.processing;
  const full = inForce.running !== undefined && running >= inForce.running;
  return (
    <div className="flex flex-col gap-1 text-sm">
      <p className="text-kumo-subtle">
        {words.length === 0 ? "No limits" : `Limits: ${words.join(" · ")}`}
        {full && (
          <>
            {" "}
            <TextLink to={jobsAddress({ kind: kind.kind, view: "processing" })} className="text-kumo-warning">
              full: {count(running)} run
            </TextLink>
          </>
        )}
      </p>
      {set && (
        <p className="text-kumo-subtle wrap-anywhere">
          Set{set.by && ` by ${set.by}`} <Time at={set.since} />
          {set.reason && ` “${set.reason}”`}; its definition says {limitWords(defined).join(" · ") || "none"}.
        </p>
      )}
      <Allowed send={`${kindAddress(kind.kind)}/limits`}>
        <details>
          <summary className="flex h-7 w-max list-none items-center rounded-md px-2.5 text-sm ring ring-kumo-line hover:bg-kumo-tint">
            Limits…<span className="sr-only"> {kind.kind}</span>
          </summary>
          <LimitsForm kind={kind} />
        </details>
      </Allowed>
    </div>
  );
}

function LimitsForm({ kind: { kind, limits } }: { kind: KindRow }) {
  const say = useSay();
  const { pathname, search } = useLocation();
  const id = useId();
  const { sent, onSubmit } = useSend<NoticeCode>((notice) => say(notice ?? { code: "no-answer", jobId: null }));
  const { running, perGroup, rate } = limits.set?.limits ?? limits.defined;
  const form = { method: "post", action: `${kindAddress(kind)}/limits`, onSubmit } as const;
  const back = <input type="hidden" name="back" value={pathname + search} />;
  const field = (name: string, label: string, value: number | undefined) => (
    <p className="flex flex-col gap-1">
      <label htmlFor={`${id}-${name}`} className="text-kumo-subtle">
        {label}
      </label>
      <input
        id={`${id}-${name}`}
        name={name}
        type="number"
        min={1}
        max={LIMIT_MAX}
        defaultValue={value ?? ""}
        className={INPUT}
      />
    </p>
  );
  return (
    <div className="mt-2 flex max-w-md flex-col items-start gap-2">
      <form {...form} className="flex flex-col items-start gap-3">
        {back}
        <div className="grid gap-3 sm:grid-cols-2">
          {field("running", "At once", running)}
          {field("perGroup", "Of one group at once", perGroup)}
          {field("rate", "Starts", rate?.jobs)}
          <p className="flex flex-col gap-1">
            <label htmlFor={`${id}-per`} className="text-kumo-subtle">
              In a
            </label>
            <select id={`${id}-per`} name="per" defaultValue={rate?.per ?? "minute"} className={SELECT}>
              {PERS.map((per) => (
                <option key={per}>{per}</option>
              ))}
            </select>
          </p>
        </div>
        <p className="text-kumo-subtle">An empty field limits nothing. What runs goes on.</p>
        <p className="flex w-full flex-col gap-1">
          <label htmlFor={`${id}-reason`} className="text-kumo-subtle">
            Why these limits (optional)
          </label>
          <input id={`${id}-reason`} name="reason" maxLength={REASON_CHARS} autoComplete="off" className={INPUT} />
        </p>
        <Button type="submit" size="sm" aria-disabled={sent !== null}>
          Set limits<span className="sr-only"> of {kind}</span>
        </Button>
      </form>
      {limits.set && (
        <form {...form}>
          {back}
          <input type="hidden" name="as" value="defined" />
          <Button type="submit" size="sm" aria-disabled={sent !== null}>
            As its definition says<span className="sr-only">: limits of {kind}</span>
          </Button>
        </form>
      )}
    </div>
  );
}
