import { operationAddress, operationsAddress } from "~/domain/addresses";
import type { RunningOperation } from "~/domain/bulk/feeds";
import { operationTitle, progressText } from "~/domain/bulk/words";
import { count } from "~/domain/format";
import { OperationBar } from "../operations/operation_bar";
import { Card } from "../ui/card";
import { TextLink } from "../ui/text_link";

const SHOWN = 3;

/** Operations that run by themselves now, each with how far it is. */
export function RunningOperations({ running }: { running: RunningOperation[] }) {
  if (running.length === 0) return null;
  const more = running.length - SHOWN;
  return (
    <Card
      flush
      title="Under way"
      aside={<TextLink to={operationsAddress()}>{more > 0 ? `${count(more)} more` : "All operations"}</TextLink>}
    >
      <ul className="divide-y divide-kumo-hairline">
        {running.slice(0, SHOWN).map((operation) => (
          <li key={operation.id} className="flex flex-wrap items-center gap-x-6 gap-y-1.5 px-4 py-2.5">
            <TextLink to={operationAddress(operation.id)} className="min-w-0 flex-1 basis-60 wrap-anywhere">
              {operationTitle(operation)}
            </TextLink>
            <span className="flex basis-64 flex-col gap-1 text-sm text-kumo-subtle tabular-nums">
              <OperationBar operation={{ ...operation, state: "running" }} />
              {progressText(operation)}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
