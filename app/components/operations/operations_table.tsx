import { operationAddress } from "~/domain/addresses";
import type { OperationRow } from "~/domain/bulk/feeds";
import { becameText, operationTitle, progressText } from "~/domain/bulk/words";
import { count } from "~/domain/format";
import { ExactTime, Time } from "../time/time";
import { Table, Td, Th, Tr } from "../ui/table";
import { TextLink } from "../ui/text_link";
import { OperationBadge } from "./operation_badge";
import { OperationBar } from "./operation_bar";

/** Operations as rows: what, how far, who and when. On a phone it all stands below the name. */
export const OperationsTable = ({ operations }: { operations: OperationRow[] }) => (
  <Table label="Operations">
    <thead className="hidden md:table-header-group">
      <tr>
        <Th className="w-32">State</Th>
        <Th>Operation</Th>
        <Th className="w-64">Progress</Th>
        <Th className="w-44">By</Th>
      </tr>
    </thead>
    <tbody>
      {operations.map((operation) => (
        <Tr key={operation.id} data-operation={operation.id} className="hover:bg-kumo-elevated">
          <Td className="hidden w-32 md:table-cell">
            <OperationBadge operation={operation} />
          </Td>
          <Td className="max-w-0">
            <TextLink to={operationAddress(operation.id)} className="font-medium wrap-anywhere md:line-clamp-2">
              {operationTitle(operation)}
            </TextLink>
            {operation.why && <span className="block text-sm wrap-anywhere">It has stopped: {operation.why}.</span>}
            {operation.reason && (
              <span className="block truncate text-sm text-kumo-subtle" title={operation.reason}>
                “{operation.reason}”
              </span>
            )}
            <div className="mt-2 flex flex-col items-start gap-2 md:hidden">
              <OperationBadge operation={operation} />
              <Numbers operation={operation} />
              <Who operation={operation} exact />
            </div>
          </Td>
          <Td className="hidden w-64 md:table-cell">
            <Numbers operation={operation} />
          </Td>
          <Td className="hidden w-44 md:table-cell">
            <Who operation={operation} />
          </Td>
        </Tr>
      ))}
    </tbody>
  </Table>
);

const Numbers = ({ operation }: { operation: OperationRow }) => (
  <div className="flex w-full flex-col gap-1 text-sm tabular-nums">
    <OperationBar operation={operation} />
    <span className="text-kumo-subtle">
      {progressText(operation)}
      {operation.pace !== null && ` · ${count(operation.pace)} a minute`}
    </span>
    <span>{becameText(operation)}</span>
  </div>
);

/** `exact`: without columns, rows that say the same are told apart by the very time. */
const Who = ({ operation, exact = false }: { operation: OperationRow; exact?: boolean }) => (
  <span className="text-sm wrap-anywhere">
    {operation.actor}{" "}
    <span className="text-kumo-subtle">
      <Time at={operation.createdAt} />
      {exact && (
        <>
          {", "}
          <ExactTime at={operation.createdAt} />
        </>
      )}
    </span>
  </span>
);
