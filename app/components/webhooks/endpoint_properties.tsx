import type { ReactNode } from "react";
import type { EndpointRow } from "~/domain/webhooks/webhooks";
import { DoneHere } from "../activity/done_here";
import { ExactTime, Time } from "../time/time";
import { Card } from "../ui/card";

export const EndpointProperties = ({ endpoint }: { endpoint: EndpointRow }) => (
  <Card title="Properties">
    <dl className="flex flex-col gap-2.5">
      <Property name="Type">{endpoint.type}</Property>
      <Property name="Address">
        <span className="font-mono text-sm wrap-anywhere">{endpoint.target}</span>
      </Property>
      <Property name="Signature">
        {endpoint.signed ? "Standard Webhooks, with its own secret" : "none"}
        {endpoint.rotatingUntil && (
          <span className="text-sm text-kumo-subtle">
            {" "}
            · the secret before signs as well, until <ExactTime at={endpoint.rotatingUntil} />
          </span>
        )}
      </Property>
      {endpoint.headers.length > 0 && (
        <Property name="Headers">
          <span className="font-mono text-sm wrap-anywhere">{endpoint.headers.join(", ")}</span>
        </Property>
      )}
      <Property name="Saved">
        <Time at={endpoint.createdAt} />
      </Property>
      <Property name="Id">
        <span className="font-mono text-sm wrap-anywhere">{endpoint.id}</span>
      </Property>
      <Property name="Activity">
        <DoneHere object={endpoint.id} className="" />
      </Property>
    </dl>
  </Card>
);

const Property = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="flex flex-col">
    <dt className="text-sm text-kumo-subtle">{name}</dt>
    <dd className="min-w-0">{children}</dd>
  </div>
);
