import { useId } from "react";
import { useLocation } from "react-router";
import type { LetterRow } from "~/domain/dead/letters";
import type { NoticeCode } from "~/domain/notices";
import { Allowed } from "../rights";
import { useSend } from "../send";
import { useSay } from "../shell/toasts";
import { Button } from "../ui/button";

/** Sends a letter's message again; says why it cannot, where it cannot. */
export function ReplayLetter({ letter }: { letter: LetterRow }) {
  const say = useSay();
  const { pathname, search } = useLocation();
  const whyId = useId();
  const { sent, onSubmit } = useSend<NoticeCode>((notice) => say(notice ?? { code: "no-answer", jobId: null }));
  return (
    <Allowed send={"/dead/letters/replay"}>
      <form method="post" action="/dead/letters/replay" onSubmit={onSubmit} className="flex flex-col items-end gap-1">
        <input type="hidden" name="back" value={pathname + search} />
        <input type="hidden" name="messageId" value={letter.messageId} />
        <input type="hidden" name="queue" value={letter.queue} />
        <Button
          type={letter.spent ? "button" : "submit"}
          size="sm"
          className="min-w-26"
          aria-disabled={letter.spent !== null || sent !== null}
          aria-describedby={letter.spent ? whyId : undefined}
        >
          {sent ? "Sending…" : "Send again"}
          <span className="sr-only"> {letter.messageId}</span>
        </Button>
        {letter.spent && (
          <span id={whyId} className="max-w-48 text-xs text-kumo-subtle wrap-anywhere">
            {letter.spent}
          </span>
        )}
      </form>
    </Allowed>
  );
}
