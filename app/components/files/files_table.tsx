import { Link } from "react-router";
import { jobAddress } from "~/domain/addresses";
import type { JobRow } from "~/domain/feeds";
import { type FileRow, type FileState, fileAddress } from "~/domain/files/files";
import { bytesText, plural } from "~/domain/format";
import { Time } from "../time/time";
import { StateBadge } from "../ui/state_badge";
import { Table, Td, Th, Tr } from "../ui/table";

export const FilesTable = ({ files }: { files: FileRow[] }) => (
  <Table label="Files">
    <thead className="hidden sm:table-header-group">
      <tr>
        <Th>File</Th>
        <Th className="w-28 text-right">Size</Th>
        <Th className="w-56">Job</Th>
        <Th className="hidden w-40 md:table-cell">By</Th>
        <Th className="w-32">Uploaded</Th>
      </tr>
    </thead>
    <tbody>
      {files.map((file) => (
        <Tr key={file.id} className="hover:bg-kumo-elevated">
          <Td className="max-w-0">
            <Link
              to={fileAddress(file.id)}
              className="block truncate font-medium text-kumo-default no-underline hover:text-kumo-link hover:underline"
            >
              {file.name}
            </Link>
            <span className="mt-1 flex flex-wrap items-center gap-x-2 gap-y-1 text-sm text-kumo-subtle sm:hidden">
              <Newest file={file} />
              <span>{sizeOf(file)}</span>
              <Time at={file.storedAt ?? file.createdAt} />
            </span>
          </Td>
          <Td className="hidden text-right whitespace-nowrap tabular-nums sm:table-cell">{sizeOf(file)}</Td>
          <Td className="hidden sm:table-cell">
            <Newest file={file} />
          </Td>
          <Td className="hidden max-w-40 truncate text-kumo-subtle md:table-cell">{file.createdBy}</Td>
          <Td className="hidden tabular-nums sm:table-cell">
            <Time at={file.storedAt ?? file.createdAt} />
          </Td>
        </Tr>
      ))}
    </tbody>
  </Table>
);

const sizeOf = ({ size }: FileRow): string => (size === null ? "–" : bytesText(size));

export const FILE_WORDS: Record<FileState, string> = {
  uploading: "Uploading",
  stored: "Not processed yet",
  removing: "Being removed",
};

function Newest({ file }: { file: FileRow }) {
  const [job, ...others] = file.jobs as [JobRow?, ...JobRow[]];
  if (!job || file.state !== "stored") return <span className="text-kumo-subtle">{FILE_WORDS[file.state]}</span>;
  return (
    <span className="flex flex-wrap items-center gap-x-2">
      <Link to={jobAddress(job.id)}>
        <StateBadge view={job.view} />
        <span className="sr-only"> job of {file.name}</span>
      </Link>
      {others.length > 0 && <span className="text-sm text-kumo-subtle">{plural(others.length, "earlier job")}</span>}
    </span>
  );
}
