import { Badge } from "@cloudflare/kumo/components/badge";
import type { Tone } from "~/domain/states";
import { DELIVERY_VIEWS, type DeliveryView, type Overall } from "~/domain/webhooks/webhooks";
import { Dot } from "../ui/dot";
import { BADGE } from "../ui/tone";

export const DeliveryBadge = ({ status }: { status: DeliveryView }) => (
  <span title={DELIVERY_VIEWS[status].means}>
    <ToneBadge tone={DELIVERY_VIEWS[status].tone} label={DELIVERY_VIEWS[status].label} />
  </span>
);

const OVERALL: Record<Overall, { tone: Tone; label: string }> = {
  delivering: { tone: "progress", label: "Delivering" },
  delivered: { tone: "success", label: "Delivered" },
  "partly failed": { tone: "warning", label: "Partly failed" },
  failed: { tone: "danger", label: "Failed" },
  skipped: { tone: "neutral", label: "Skipped" },
};

export const OverallBadge = ({ overall }: { overall: Overall }) => <ToneBadge {...OVERALL[overall]} />;

export const ToneBadge = ({ tone, label }: { tone: Tone; label: string }) => (
  <Badge variant={BADGE[tone]}>
    <Dot tone={tone} className="size-1.5" />
    {label}
  </Badge>
);
