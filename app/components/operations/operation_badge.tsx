import { Badge } from "@cloudflare/kumo/components/badge";
import type { OperationDetail, OperationRow } from "~/domain/bulk_feeds";
import { operationStanding, STANDINGS } from "~/domain/operation_words";
import { Dot } from "../ui/dot";
import { BADGE } from "../ui/tone";

export function OperationBadge({ operation }: { operation: OperationRow & { job?: OperationDetail["job"] } }) {
  const { label, tone } = STANDINGS[operationStanding(operation)];
  return (
    <Badge variant={BADGE[tone]}>
      <Dot tone={tone} className="size-1.5" />
      {label}
    </Badge>
  );
}
