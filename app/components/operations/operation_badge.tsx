import { Badge } from "@cloudflare/kumo/components/badge";
import type { OperationRow } from "~/domain/bulk/feeds";
import { STANDINGS } from "~/domain/bulk/words";
import { Dot } from "../ui/dot";
import { BADGE } from "../ui/tone";

export function OperationBadge({ operation }: { operation: OperationRow }) {
  const { label, tone } = STANDINGS[operation.state];
  return (
    <Badge variant={BADGE[tone]}>
      <Dot tone={tone} className="size-1.5" />
      {label}
    </Badge>
  );
}
