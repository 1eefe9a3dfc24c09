import { Badge } from "@cloudflare/kumo/components/badge";
import { CHECK_OUTCOMES, type CheckOutcome } from "~/domain/watches/watch";
import { Dot } from "../ui/dot";
import { BADGE } from "../ui/tone";

export const CheckBadge = ({ outcome }: { outcome: CheckOutcome }) => (
  <span title={CHECK_OUTCOMES[outcome].means}>
    <Badge variant={BADGE[CHECK_OUTCOMES[outcome].tone]}>
      <Dot tone={CHECK_OUTCOMES[outcome].tone} className="size-1.5" />
      {CHECK_OUTCOMES[outcome].label}
    </Badge>
  </span>
);
