import { useId } from "react";
import { BULK_ACTION_NAMES, BULK_ACTIONS, type BulkAction } from "~/domain/bulk/bulk";
import { Button } from "../ui/button";

/** The actions, always all of them: one that cannot be done says why. */
export function BulkButtons({ whyNot, sending }: { whyNot: (action: BulkAction) => string | null; sending: boolean }) {
  const id = useId();
  return (
    <span className="ml-auto flex flex-wrap items-center gap-2">
      {BULK_ACTION_NAMES.map((action) => {
        const why = whyNot(action);
        return (
          <span key={action} title={why ?? undefined}>
            <Button
              type="submit"
              size="sm"
              name="action"
              value={action}
              variant={action === "requeue" ? "secondary" : "secondary-destructive"}
              aria-disabled={why !== null || sending}
              aria-describedby={why ? `${id}-${action}` : undefined}
            >
              {BULK_ACTIONS[action].label}
              <span className="sr-only"> selected</span>
            </Button>
            {why && (
              <span id={`${id}-${action}`} hidden>
                {why}
              </span>
            )}
          </span>
        );
      })}
    </span>
  );
}
