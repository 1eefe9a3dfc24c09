import { useLocation } from "react-router";
import type { NoticeCode } from "~/domain/notices";
import { scheduleAddress } from "~/domain/schedules/words";
import { Allowed } from "../rights";
import { useSend } from "../send";
import { useSay } from "../shell/toasts";
import { Button } from "../ui/button";

const VERBS = {
  run: { label: "Run now", pending: "Starting…" },
  pause: { label: "Pause", pending: "Pausing…" },
  resume: { label: "Resume", pending: "Resuming…" },
} as const;

type Props = {
  verb: keyof typeof VERBS;
  id: string;
  /** What the button speaks of, for those who cannot see its row. */
  of: string;
  /** Names the run, so that pressing twice makes one job. */
  form: string;
  size?: "sm" | "base";
};

/** One action on one schedule: a small form, so that it works without a script. */
export function ScheduleAction({ verb, id, of, form, size = "base" }: Props) {
  const say = useSay();
  const { pathname, search } = useLocation();
  const { sent, onSubmit } = useSend<{ notice: NoticeCode | null }>((answer) => {
    const { notice } = answer ?? { notice: { code: "no-answer", jobId: null } };
    if (notice) say(notice);
  });
  return (
    <Allowed send={`${scheduleAddress(id)}/${verb}`}>
      <form method="post" action={`${scheduleAddress(id)}/${verb}`} onSubmit={onSubmit} className="inline-block">
        <input type="hidden" name="form" value={form} />
        <input type="hidden" name="back" value={pathname + search} />
        <Button
          size={size}
          type="submit"
          // As wide as its longest word: nothing moves when it is pressed.
          className={size === "sm" ? "min-w-24" : "min-w-28"}
          aria-disabled={sent !== null}
        >
          {sent ? VERBS[verb].pending : VERBS[verb].label}
          <span className="sr-only"> {of}</span>
        </Button>
      </form>
    </Allowed>
  );
}
