import { operationAddress } from "~/domain/addresses";
import { didTo } from "~/domain/audit/actions";
import { toldOf } from "~/domain/audit/words";
import type { AuditRow } from "~/domain/feeds";
import { DoneHere } from "../activity/done_here";
import { Time } from "../time/time";
import { Card } from "../ui/card";
import { TextLink } from "../ui/text_link";

/** Who did what to this job, or schedule. `of`: its id. */
export const AuditList = ({ audit, of }: { audit: AuditRow[]; of: string }) => (
  <Card title="Who did what" aside={audit.length > 0 && <DoneHere object={of} />}>
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
  const { operation } = toldOf(after);
  return typeof operation === "string" ? operation : null;
}

function didWhat({ action, after }: AuditRow): string {
  if (action === "cancel" && after?.includes("processing")) return "asked it to stop";
  if (action === "abort bulk") return "aborted the operation that it works off";
  return didTo(action, "it");
}
