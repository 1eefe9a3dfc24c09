import { useId } from "react";
import { useLocation } from "react-router";
import { kindAddress } from "~/domain/addresses";
import { heldOf } from "~/domain/bulk/beside";
import { BULK_KIND } from "~/domain/bulk/bulk";
import type { KindRow } from "~/domain/bulk/feeds";
import { count, plural } from "~/domain/format";
import { REASON_CHARS } from "~/domain/limits";
import type { NoticeCode } from "~/domain/notices";
import { Allowed } from "../rights";
import { useSend } from "../send";
import { useSay } from "../shell/toasts";
import { Time } from "../time/time";
import { Button } from "../ui/button";
import { INPUT } from "../ui/field";

/** Pauses a kind, with the reason, or lets it run on. Opens and works without a script. */
export function KindPause({ kind: { kind, paused, counts } }: { kind: KindRow }) {
  const say = useSay();
  const { pathname, search } = useLocation();
  const reasonId = useId();
  const { sent, onSubmit } = useSend<NoticeCode>((notice) => say(notice ?? { code: "no-answer", jobId: null }));
  const held = heldOf(counts);
  const verb = paused ? "resume" : "pause";
  const form = { method: "post", action: `${kindAddress(kind)}/${verb}`, onSubmit } as const;
  const back = <input type="hidden" name="back" value={pathname + search} />;
  if (kind === BULK_KIND)
    return <p className="text-sm text-kumo-subtle md:text-right">Never paused: operations must go on.</p>;
  if (paused) {
    return (
      <div className="flex flex-col items-start gap-2 md:items-end">
        <p className="text-sm text-kumo-warning wrap-anywhere md:text-right">
          Paused{paused.by && ` by ${paused.by}`} <Time at={paused.since} />
          {held > 0 && `, ${plural(held, "job")} held`}
          {paused.reason && <span className="block text-kumo-subtle">“{paused.reason}”</span>}
        </p>
        <Allowed send={form.action}>
          <form {...form}>
            {back}
            <Button type="submit" size="sm" aria-disabled={sent !== null} className="min-w-26">
              {sent ? "Resuming…" : "Resume"}
              <span className="sr-only"> {kind}</span>
            </Button>
          </form>
        </Allowed>
      </div>
    );
  }
  return (
    <Allowed send={form.action}>
      <details className="flex flex-col md:items-end">
        <summary className="flex h-7 w-max list-none items-center rounded-md px-2.5 text-sm ring ring-kumo-line hover:bg-kumo-tint">
          Pause…<span className="sr-only"> {kind}</span>
        </summary>
        <form {...form} className="mt-2 flex flex-col items-start gap-2 md:items-end">
          {back}
          <p className="text-sm text-kumo-subtle md:text-right">
            {held === 0 ? "No job waits now" : `${plural(held, "job")} will be held`}: those that come will wait.
            {counts.processing > 0 && ` What runs goes on: ${count(counts.processing)} now.`}
          </p>
          <label htmlFor={reasonId} className="text-sm text-kumo-subtle">
            Reason (optional)
          </label>
          <input id={reasonId} name="reason" maxLength={REASON_CHARS} autoComplete="off" className={INPUT} />
          <Button type="submit" size="sm" aria-disabled={sent !== null} className="min-w-26">
            {sent ? "Pausing…" : "Pause"}
            <span className="sr-only"> {kind}</span>
          </Button>
        </form>
      </details>
    </Allowed>
  );
}
