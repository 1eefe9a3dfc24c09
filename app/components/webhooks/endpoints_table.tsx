import { type EndpointRow, endpointAddress } from "~/domain/webhooks/webhooks";
import { Time } from "../time/time";
import { Table, Td, Th, Tr } from "../ui/table";
import { TextLink } from "../ui/text_link";
import { ToneBadge } from "./delivery_badge";

/** Saved endpoints: what each is, where it is, and whether it gets anything. */
export const EndpointsTable = ({ endpoints }: { endpoints: EndpointRow[] }) => (
  <Table label="Saved endpoints">
    <thead className="hidden sm:table-header-group">
      <tr>
        <Th className="w-28">State</Th>
        <Th>Endpoint</Th>
        <Th className="hidden w-28 md:table-cell">Type</Th>
        <Th className="hidden w-36 md:table-cell">Saved</Th>
      </tr>
    </thead>
    <tbody>
      {endpoints.map((endpoint) => (
        <Tr key={endpoint.id} data-endpoint={endpoint.id}>
          <Td className="hidden w-28 sm:table-cell">
            <EndpointState endpoint={endpoint} />
          </Td>
          <Td className="max-w-0">
            <TextLink to={endpointAddress(endpoint.id)} className="font-medium wrap-anywhere">
              {endpoint.name}
            </TextLink>
            <div className="text-sm text-kumo-subtle wrap-anywhere">{endpoint.target}</div>
            {endpoint.disabledReason && (
              <div className="text-sm text-kumo-warning wrap-anywhere">{endpoint.disabledReason}</div>
            )}
            <div className="mt-1 sm:hidden">
              <EndpointState endpoint={endpoint} />
            </div>
          </Td>
          <Td className="hidden w-28 text-kumo-subtle md:table-cell">{endpoint.type}</Td>
          <Td className="hidden w-36 tabular-nums md:table-cell">
            <Time at={endpoint.createdAt} />
          </Td>
        </Tr>
      ))}
    </tbody>
  </Table>
);

export const EndpointState = ({ endpoint: { disabledAt } }: { endpoint: EndpointRow }) =>
  disabledAt ? <ToneBadge tone="warning" label="Disabled" /> : <ToneBadge tone="success" label="Active" />;
