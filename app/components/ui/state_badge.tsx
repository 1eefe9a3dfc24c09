import { Badge } from "@cloudflare/kumo/components/badge";
import { OUTCOMES, type OutcomeName, VIEWS, type View } from "~/domain/states";
import { Dot } from "./dot";
import { BADGE } from "./tone";

export const StateBadge = ({ view }: { view: View }) => (
  <Badge variant={BADGE[VIEWS[view].tone]}>
    <Dot tone={VIEWS[view].tone} className="size-1.5" />
    {VIEWS[view].label}
  </Badge>
);

export const OutcomeBadge = ({ outcome }: { outcome: OutcomeName }) => (
  <Badge variant={BADGE[OUTCOMES[outcome].tone]}>{OUTCOMES[outcome].label}</Badge>
);
