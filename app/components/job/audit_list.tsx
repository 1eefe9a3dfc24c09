import { operationAddress } from "~/domain/addresses";
import type { AuditRow } from "~/domain/feeds";
import { Time } from "../time/time";
import { Card } from "../ui/card";
import { TextLink } from "../ui/text_link";

/** Who did what to this job, or schedule. */
export const AuditList = ({ audit }: { audit: AuditRow[] }) => (
  <Card title="Who did what">
    {audit.length === 0 ? (
      <p className="text-kumo-subtle">No person has touched it.</p>
    ) : (
      <ul className="flex flex-col gap-3">
        {audit.map((row) => (
          <li key={row.id} className="flex flex-col">
            <span className="wrap-anywhere">
              <span className="font-medium">{row.actor}</span> {didWhat(row)} <By operation={operationOf(row)} />
              <span className="text-sm text-kumo-subtle">
                <Time at={row.at} />
              </span>
            </span>
            {row.reason && <span className="text-sm text-kumo-subtle wrap-anywhere">“{row.reason}”</span>}
          </li>
        ))}
      </ul>
    )}
  </Card>
);

/** Together with many others. */
const By = ({ operation }: { operation: string | null }) =>
  operation === null ? null : (
    <>
      in a <TextLink to={operationAddress(operation)}>bulk operation</TextLink>{" "}
    </>
  );

function operationOf({ after }: AuditRow): string | null {
  const { operation } = (JSON.parse(after ?? "null") ?? {}) as { operation?: unknown };
  return typeof operation === "string" ? operation : null;
}

function didWhat({ action, after }: AuditRow): string {
  if (action === "requeue") return "requeued it";
  if (action === "cancel") return after?.includes("processing") ? "asked it to stop" : "cancelled it";
  if (action === "resend") return "sent one of its deliveries again";
  if (action === "edit and run") return "made another job of it";
  if (action === "abort bulk") return "aborted the operation that it works off";
  return SCHEDULE_ACTIONS[action] ?? action;
}

const SCHEDULE_ACTIONS: Record<string, string> = {
  "schedule.create": "created it",
  "schedule.update": "changed it",
  "schedule.pause": "paused it",
  "schedule.resume": "resumed it",
  "schedule.run": "ran it by hand",
};
