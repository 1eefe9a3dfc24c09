import { jobAddress } from "~/domain/addresses";
import type { OperationDetail } from "~/domain/bulk/feeds";
import { Banner } from "../ui/banner";
import { TextLink } from "../ui/text_link";

/** An operation that has stopped before its end: by what, and how it goes on. */
export function OperationTrouble({ operation: { why, job } }: { operation: OperationDetail }) {
  if (why === null) return null;
  return (
    <Banner role="status" tone="danger" title={`It has stopped: ${why}`}>
      What it changed stays so, what it did not reach is as it was.{" "}
      {job && (
        <>
          <TextLink to={jobAddress(job.id)}>Requeue that job</TextLink> and it goes on where it stopped, or{" "}
        </>
      )}
      {job ? "run it" : "Run it"} again on what is left. Aborted, it is told on the overview no more.
    </Banner>
  );
}
