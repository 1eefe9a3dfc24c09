import { type ReactNode, useEffect, useEffectEvent, useRef } from "react";
import { useRevalidator } from "react-router";
import { BulkBar } from "~/components/bulk/bulk_bar";
import { useSelection } from "~/components/bulk/selection";
import { JobsTable } from "~/components/jobs/jobs_table";
import { useMay } from "~/components/rights";
import { FeedBanner } from "~/components/shell/feed_banner";
import { Card } from "~/components/ui/card";
import { News } from "~/components/ui/news";
import { type JobList, jobsAddress } from "~/domain/addresses";
import { ownJobs } from "~/domain/bulk/beside";
import { bulkFilterOf } from "~/domain/bulk/bulk";
import type { JobPage, JobRow } from "~/domain/feeds";
import type { Column } from "~/domain/query/columns";
import { jobsFeed } from "~/queries/jobs";
import { mergeRows } from "~/queries/merge";
import { useFeed } from "~/queries/use_feed";
import { useAsking } from "./asking";
import { useChoosing } from "./choosing";
import { Following, useFollowing } from "./following";
import { useFrame } from "./frame";
import { useHeldPage } from "./held_page";
import { useMatching } from "./matching";
import { useStats } from "./stats";

type Props = {
  label: string;
  list: JobList;
  /** What of its filter was not understood, and left out. */
  problems?: string[];
  /** Something else stands in the filter box, and is not applied yet. */
  unapplied?: boolean;
  read: { page: JobPage; at: number };
  title?: ReactNode;
  /** Those shown; null: as they go without saying. */
  columns?: Column[] | null;
  action?: (job: JobRow) => ReactNode;
  empty: ReactNode;
  foot?: (page: JobPage) => ReactNode;
};

/** A list that keeps itself up to date: rows are patched in place, new ones wait behind a button. */
export function LiveJobList({
  label,
  list,
  problems,
  unapplied = false,
  read,
  title,
  columns,
  action,
  empty,
  foot,
}: Props) {
  const { preferences, who } = useFrame();
  const { revalidate } = useRevalidator();
  const live = useFeed(jobsFeed(list, read.page), { body: read.page, at: read.at }, !preferences.refresh);
  const area = useRef<HTMLDivElement>(null);
  const { page, held, ask } = useHeldPage(area, read.page, jobsAddress(list));
  const { rows, fresh, freshOrMore, stale } = mergeRows(page, live.body, list);
  const there = rows.filter((row) => !row.left);
  // Where none of them is left, there is nothing to hold: nothing on screen can jump, and what came is shown at once.
  const visible = held && there.length > 0 ? rows : there;
  const news = list.cursor ? 0 : fresh;
  const emptied = visible.length === 0 && live.body.jobs.length + live.body.fresh > 0;
  const showNew = () => {
    ask();
    void revalidate();
  };
  const onEmptied = useEffectEvent(showNew);
  useEffect(() => {
    if (emptied) onEmptied();
  }, [emptied]);

  const whole = bulkFilterOf(list, problems);
  const { cursor: _, columns: __, ...filters } = list;
  const place = { list: jobsAddress(filters), filter: "filter" in whole ? whole.filter : null };
  const why = "why" in whole ? whole.why : null;
  const selection = useSelection();
  const { matching, parts } = useMatching(place.filter);
  const { following, follow } = useFollowing();
  const bulk = useAsking(follow);
  const jobs = there.map(({ job }) => job);
  const choosing = useChoosing({ rows: jobs, page: live.body, place, selection, sending: bulk.sending });
  // Those that were looked at are not all there are: what matches may be among the others.
  const mayMatch = page.scanned !== null && page.next !== null;
  const mayBulk = useMay().send("/bulk");
  const stats = useStats()?.body;
  const own = place.filter && stats ? ownJobs(place.filter, stats.kinds) : 0;
  return (
    <>
      <FeedBanner failed={live.failed} at={live.at} />
      {mayBulk && (there.length > 0 || selection.picked.size > 0 || mayMatch) && (
        <BulkBar {...{ rows: jobs, place, why, unapplied, matching, own, parts, selection, bulk }} who={who.name} />
      )}
      {bulk.dialog}
      {following && <Following key={following} id={following} />}
      <div className="relative">
        {news > 0 && visible.length > 0 && (
          <News n={news} more={freshOrMore} onShow={showNew}>
            {stale && <span className="font-normal text-kumo-subtle">· older rows are not refreshed</span>}
          </News>
        )}
        <div ref={area}>
          <Card flush title={title}>
            {visible.length > 0 ? (
              <JobsTable
                label={label}
                rows={visible}
                choosing={mayBulk ? choosing : undefined}
                held={new Map(stats?.held.map((kind) => [kind.kind, kind]))}
                columns={columns}
                action={mayBulk ? action : undefined}
              />
            ) : (
              empty
            )}
          </Card>
        </div>
      </div>
      {foot?.(page)}
    </>
  );
}
