import { Badge } from "@cloudflare/kumo/components/badge";
import { FATES, type Fate } from "~/domain/schedules/schedule";
import { BADGE } from "../ui/tone";

export const FateBadge = ({ fate }: { fate: Fate }) => (
  <span title={FATES[fate].means}>
    <Badge variant={BADGE[FATES[fate].tone]}>{FATES[fate].label}</Badge>
  </span>
);
