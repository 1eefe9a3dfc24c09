import { useLocation } from "react-router";
import { operationAddress } from "~/domain/addresses";
import type { NoticeCode } from "~/domain/notices";
import { Allowed } from "../rights";
import { useSend } from "../send";
import { useSay } from "../shell/toasts";
import { Button } from "../ui/button";

/** Stops an operation: what it has done stays done, what is to come is left. */
export function AbortButton({ id }: { id: string }) {
  const say = useSay();
  const { pathname, search } = useLocation();
  const { sent, onSubmit } = useSend<NoticeCode>((notice) => say(notice ?? { code: "no-answer", jobId: null }));
  return (
    <Allowed send={`${operationAddress(id)}/abort`}>
      <form method="post" action={`${operationAddress(id)}/abort`} onSubmit={onSubmit}>
        <input type="hidden" name="back" value={pathname + search} />
        <Button
          type="submit"
          size="sm"
          variant="secondary-destructive"
          aria-disabled={sent !== null}
          className="min-w-24"
        >
          {sent ? "Aborting…" : "Abort"}
        </Button>
      </form>
    </Allowed>
  );
}
