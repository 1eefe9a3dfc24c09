import { bulkAddress, jobsAddress } from "~/domain/addresses";
import { filterText } from "~/domain/bulk/bulk";
import type { OperationDetail } from "~/domain/bulk/feeds";
import { filterOf } from "~/domain/bulk/words";
import { plural } from "~/domain/format";
import { BulkAll } from "../bulk/bulk_all";
import type { useBulk } from "../bulk/use_bulk";
import { LinkButton } from "../ui/button";
import { TextLink } from "../ui/text_link";

type Props = { operation: OperationDetail; bulk: ReturnType<typeof useBulk> };

/** The same once more, with everything that matches by now. */
export function AgainButton({ operation, bulk }: Props) {
  const { action, matching, id } = operation;
  const filter = filterOf(operation);
  const reason = `What operation ${id} has left`;
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
      <p className="wrap-anywhere">
        <TextLink to={jobsAddress(filter)}>
          {matching === null ? "Those that match now" : plural(matching, "job")}
        </TextLink>
        {matching === null ? "" : " match now"}: {filterText(filter)}.
      </p>
      {matching === null ? (
        <LinkButton size="sm" className="inline-flex!" to={bulkAddress(action, filter, { reason })}>
          Count, and run again on what is left
        </LinkButton>
      ) : (
        <BulkAll action={action} filter={filter} n={matching} bulk={bulk} reason={reason}>
          Run again on what is left
        </BulkAll>
      )}
    </div>
  );
}
