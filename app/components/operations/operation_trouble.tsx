import { jobAddress } from "~/domain/addresses";
import type { OperationDetail } from "~/domain/bulk_feeds";
import { operationStanding } from "~/domain/operation_words";
import { Banner } from "../ui/banner";
import { TextLink } from "../ui/text_link";

/** An operation that says it runs, and does not. */
export function OperationTrouble({ operation }: { operation: OperationDetail }) {
  if (operationStanding(operation) !== "stalled") return null;
  const { job } = operation;
  return (
    <Banner role="status" tone="danger" title="It goes on no more">
      {job ? (
        <>
          The job that works it off is {job.state}. <TextLink to={jobAddress(job.id)}>Requeue that job</TextLink> to go
          on where it stopped, or abort the operation.
        </>
      ) : (
        "The job that worked it off is stored no more. Abort it, then run it again on what is left."
      )}
    </Banner>
  );
}
