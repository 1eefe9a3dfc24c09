import { count } from "~/domain/format";
import { DELIVERY_VIEWS, type DeliveryView, endpointAddress, type Fanout } from "~/domain/webhooks/webhooks";
import { Card } from "../ui/card";
import { Dot } from "../ui/dot";
import { TextLink } from "../ui/text_link";
import { DeliveriesTable } from "./deliveries_table";
import { OverallBadge } from "./delivery_badge";

const VIEWS = Object.keys(DELIVERY_VIEWS) as DeliveryView[];

/** An event at each of its endpoints: one word for all of them, numbers, and every one by itself. */
export const FanoutCard = ({ fanout: { overall, counts, deliveries } }: { fanout: Fanout }) => (
  <Card flush title="Deliveries" aside={<OverallBadge overall={overall} />}>
    <ul className="flex flex-wrap gap-x-4 gap-y-1 border-b border-kumo-hairline px-4 py-2 text-sm">
      {VIEWS.filter((view) => counts[view] > 0).map((view) => (
        <li key={view} title={DELIVERY_VIEWS[view].means} className="flex items-center gap-1.5 tabular-nums">
          <Dot tone={DELIVERY_VIEWS[view].tone} />
          {count(counts[view])} {DELIVERY_VIEWS[view].label.toLowerCase()}
        </li>
      ))}
    </ul>
    <div className="max-h-160 overflow-y-auto">
      <DeliveriesTable
        label="Deliveries by endpoint"
        rows={deliveries}
        head="Endpoint"
        name={({ endpointId, n, target }) => {
          // Several may be at one host, and more of an address than that is not shown.
          const name = `${n + 1}. ${target}`;
          return endpointId ? <TextLink to={endpointAddress(endpointId)}>{name}</TextLink> : name;
        }}
      />
    </div>
  </Card>
);
