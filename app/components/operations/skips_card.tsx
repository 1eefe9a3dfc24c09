import { jobAddress } from "~/domain/addresses";
import type { OperationDetail } from "~/domain/bulk/feeds";
import { count, shortId } from "~/domain/format";
import { Card } from "../ui/card";
import { Table, Td, Th, Tr } from "../ui/table";
import { TextLink } from "../ui/text_link";

/** Jobs that matched and were left as they are, each with the reason. */
export function SkipsCard({ operation: { skips, skipped } }: { operation: OperationDetail }) {
  if (skips.length === 0) return null;
  return (
    <Card
      flush
      title="Skipped"
      aside={skips.length < skipped && `The first ${count(skips.length)} of ${count(skipped)}`}
    >
      <Table label="Skipped jobs">
        <thead>
          <tr>
            <Th className="w-40">Job</Th>
            <Th>Why</Th>
          </tr>
        </thead>
        <tbody>
          {skips.map(({ jobId, reason }) => (
            <Tr key={jobId} data-job={jobId}>
              <Td className="w-40">
                <TextLink to={jobAddress(jobId)} className="font-mono text-sm" title={jobId}>
                  {shortId(jobId)}
                </TextLink>
              </Td>
              <Td>{reason}</Td>
            </Tr>
          ))}
        </tbody>
      </Table>
    </Card>
  );
}
