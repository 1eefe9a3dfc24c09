import { useLocation } from "react-router";
import { REPLAYS_MAX } from "~/domain/dead/letters";
import type { NoticeCode } from "~/domain/notices";
import { useMay } from "../rights";
import { useSend } from "../send";
import { useSay } from "../shell/toasts";
import { useNow } from "../time/now";
import { Time } from "../time/time";
import { Button } from "../ui/button";
import { SELECT } from "../ui/field";

const CHOICES = [
  [60, "1 hour"],
  [360, "6 hours"],
  [1_440, "24 hours"],
] as const;

const REPLAYING = "/dead/letters/replaying";

/** Whether dead letters end their jobs or are sent again: for a release that takes its consumers down. */
export function Replaying({ until }: { until: string | null }) {
  const on = useNow((now) => until !== null && Date.parse(until) > now);
  const may = useMay();
  const say = useSay();
  const { pathname } = useLocation();
  const { sent, onSubmit } = useSend<NoticeCode>((notice) => say(notice ?? { code: "no-answer", jobId: null }));
  const off = (
    <p className="min-w-64 flex-1 text-kumo-subtle">
      A message that comes here ends the job that waits for it. While a release is broken they can be sent again
      instead, at most {REPLAYS_MAX} times each.
    </p>
  );
  const goesOn = until !== null && on && (
    <p className="min-w-64 flex-1">
      Messages that come here are sent again, and end no job, until <Time at={until} />.
    </p>
  );
  if (!may.send(REPLAYING)) return <div className="px-4 py-3 text-sm">{goesOn || off}</div>;
  return (
    <form
      method="post"
      action={REPLAYING}
      onSubmit={onSubmit}
      className="flex flex-wrap items-center gap-2 px-4 py-3 text-sm"
    >
      <input type="hidden" name="back" value={pathname} />
      {!goesOn ? (
        <>
          {off}
          <label htmlFor="minutes" className="text-kumo-subtle">
            For
          </label>
          <select id="minutes" name="minutes" className={SELECT}>
            {CHOICES.map(([minutes, label]) => (
              <option key={minutes} value={minutes}>
                {label}
              </option>
            ))}
          </select>
          <Button type="submit" size="sm" aria-disabled={sent !== null}>
            Send again instead
          </Button>
        </>
      ) : (
        <>
          {goesOn}
          <input type="hidden" name="minutes" value="0" />
          <Button type="submit" size="sm" aria-disabled={sent !== null}>
            End jobs again
          </Button>
        </>
      )}
    </form>
  );
}
