import { DownloadSimpleIcon } from "@phosphor-icons/react/dist/ssr/DownloadSimple";
import type { ReactNode } from "react";
import { derivedAddress, type FileResult, fileAddress } from "~/domain/files/files";
import { bytesText, count, plural } from "~/domain/format";
import { LinkButton } from "../ui/button";
import { Card } from "../ui/card";
import { CopyButton } from "../ui/copy_button";
import { Table, Td, Th, Tr } from "../ui/table";
import { TextLink } from "../ui/text_link";

type Props = { result: FileResult; fileId: string; jobId: string };

/** What a file is and what is in it; the same as NDJSON to take away. */
export const FileResultCard = ({ result: { name, bytes, sha256, table }, fileId, jobId }: Props) => (
  <Card
    flush
    title="File"
    aside={
      table && (
        <LinkButton
          size="sm"
          to={derivedAddress(fileId, jobId)}
          reloadDocument
          icon={<DownloadSimpleIcon aria-hidden="true" />}
        >
          Download NDJSON, {bytesText(table.derived.bytes)}
        </LinkButton>
      )
    }
  >
    <dl className="grid gap-x-6 gap-y-2.5 p-4 sm:grid-cols-2">
      <Fact name="Name">
        <TextLink to={fileAddress(fileId)}>{name}</TextLink>
      </Fact>
      <Fact name="Size">{plural(bytes, "byte")}</Fact>
      {table && (
        <>
          <Fact name="Rows">
            {count(table.rows)}
            {table.derived.rows < table.rows && (
              <span className="text-kumo-subtle"> · {count(table.rows - table.derived.rows)} left out</span>
            )}
          </Fact>
          <Fact name="Columns">{count(table.columnCount)}</Fact>
        </>
      )}
      <Fact name="SHA-256" wide>
        <span className="font-mono text-sm break-all">{sha256}</span> <CopyButton text={sha256} what="SHA-256" />
      </Fact>
    </dl>
    {table && table.columns.length > 0 && <Columns table={table} />}
    {table && table.badLines.count > 0 && <BadLines {...table.badLines} />}
  </Card>
);

const Fact = ({ name, wide, children }: { name: string; wide?: boolean; children: ReactNode }) => (
  <div className={`flex min-w-0 flex-col ${wide ? "sm:col-span-2" : ""}`}>
    <dt className="text-sm text-kumo-subtle">{name}</dt>
    <dd className="min-w-0 wrap-anywhere tabular-nums">{children}</dd>
  </div>
);

type TableOf = NonNullable<FileResult["table"]>;

const Columns = ({ table: { columns, columnCount, rows } }: { table: TableOf }) => (
  <div className="max-h-96 overflow-y-auto border-t border-kumo-hairline">
    <Table label="Columns">
      <thead>
        <tr>
          <Th>Column</Th>
          <Th className="w-32">Type</Th>
          <Th className="w-40 text-right">Without a value</Th>
        </tr>
      </thead>
      <tbody>
        {columns.map(({ name, type, empty }) => (
          <Tr key={name}>
            <Td className="wrap-anywhere">{name}</Td>
            <Td>{type}</Td>
            <Td className="text-right tabular-nums">{empty === 0 ? "–" : `${count(empty)} of ${count(rows)}`}</Td>
          </Tr>
        ))}
      </tbody>
    </Table>
    {columnCount > columns.length && (
      <p className="px-4 py-2 text-sm text-kumo-subtle">The first {count(columns.length)} are named here.</p>
    )}
  </div>
);

const BadLines = ({ count: all, listed }: TableOf["badLines"]) => (
  <div className="border-t border-kumo-hairline px-4 py-3">
    <h3 className="font-medium">{plural(all, "bad line")}</h3>
    <ul className="mt-1 flex max-h-72 flex-col gap-0.5 overflow-y-auto text-sm">
      {listed.map(({ row, line, problem }) => (
        <li key={line} className="tabular-nums">
          Row {count(row)}, line {count(line)}: <span className="text-kumo-subtle">{problem}</span>
        </li>
      ))}
    </ul>
    {all > listed.length && <p className="mt-1 text-sm text-kumo-subtle">The first {count(listed.length)} of them.</p>}
  </div>
);
