import { jobsAddress } from "~/domain/addresses";
import { filterText } from "~/domain/bulk";
import type { OperationDetail } from "~/domain/bulk_feeds";
import { plural } from "~/domain/format";
import { filterOf } from "~/domain/operation_words";
import { BulkAll } from "../bulk/bulk_all";
import type { useBulk } from "../bulk/use_bulk";
import { TextLink } from "../ui/text_link";

type Props = { operation: OperationDetail; bulk: ReturnType<typeof useBulk> };

/** The same once more, with everything that matches by now. */
export function AgainButton({ operation, bulk }: Props) {
  const { action, matching, id } = operation;
  const filter = filterOf(operation);
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
      <p>
        <TextLink to={jobsAddress(filter)}>{plural(matching, "job")}</TextLink> match now: {filterText(filter)}.
      </p>
      <BulkAll action={action} filter={filter} n={matching} bulk={bulk} reason={`What operation ${id} has left`}>
        Run again on what is left
      </BulkAll>
    </div>
  );
}
