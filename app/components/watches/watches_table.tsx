import type { WatchRow } from "~/domain/watches/feeds";
import { watchAddress } from "~/domain/watches/words";
import { Time } from "../time/time";
import { Table, Td, Th, Tr } from "../ui/table";
import { TextLink } from "../ui/text_link";

/** Watches as rows: what each page shows, when it changed, when it is looked at next. */
export const WatchesTable = ({ watches }: { watches: WatchRow[] }) => (
  <Table label="Watches">
    <thead className="hidden sm:table-header-group">
      <tr>
        <Th>Watch</Th>
        <Th>Shows</Th>
        <Th className="hidden w-32 md:table-cell">Changed</Th>
        <Th className="hidden w-32 lg:table-cell">Checked</Th>
        <Th className="hidden w-32 md:table-cell">Next</Th>
      </tr>
    </thead>
    <tbody>
      {watches.map((watch) => (
        <Tr key={watch.id} data-watch={watch.id}>
          <Td className="max-w-0 sm:w-2/5">
            <TextLink to={watchAddress(watch.id)} className="font-medium wrap-anywhere">
              {watch.name}
            </TextLink>
            <span className="block truncate text-sm text-kumo-subtle" title={watch.url}>
              {watch.url}
            </span>
            <div className="mt-1 flex flex-col gap-0.5 text-sm sm:hidden">
              <Shows watch={watch} />
              <Next watch={watch} />
            </div>
          </Td>
          <Td className="hidden max-w-0 sm:table-cell">
            <Shows watch={watch} />
          </Td>
          <Td className="hidden w-32 tabular-nums md:table-cell">
            {watch.changedAt ? <Time at={watch.changedAt} /> : <span className="text-kumo-subtle">–</span>}
          </Td>
          <Td className="hidden w-32 tabular-nums lg:table-cell">
            {watch.checkedAt ? <Time at={watch.checkedAt} /> : <span className="text-kumo-subtle">never</span>}
          </Td>
          <Td className="hidden w-32 tabular-nums md:table-cell">
            <Next watch={watch} />
          </Td>
        </Tr>
      ))}
    </tbody>
  </Table>
);

const Shows = ({ watch: { value, failures, lastError } }: { watch: WatchRow }) => (
  <>
    {value !== null && <span className="line-clamp-2 wrap-anywhere">{value}</span>}
    {failures > 0 && (
      <span className="line-clamp-2 text-sm wrap-anywhere text-kumo-danger">
        failed {failures === 1 ? "" : `${failures} times in a row`}: {lastError}
      </span>
    )}
    {value === null && failures === 0 && <span className="text-kumo-subtle">not looked at yet</span>}
  </>
);

const Next = ({ watch: { paused, nextAt } }: { watch: WatchRow }) => {
  if (paused) return <span className="text-kumo-warning">{paused.by === null ? "Stopped" : "Paused"}</span>;
  if (nextAt === null) return <span className="text-kumo-danger">Never</span>;
  return (
    <span>
      <span className="text-kumo-subtle md:hidden">next </span>
      <Time at={nextAt} past="due" />
    </span>
  );
};
