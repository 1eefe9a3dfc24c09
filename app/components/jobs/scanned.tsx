import { type JobList, jobsAddress } from "~/domain/addresses";
import type { JobPage } from "~/domain/feeds";
import { count, plural } from "~/domain/format";
import { ExactTime } from "../time/time";
import { TextLink } from "../ui/text_link";

/** A page that stopped looking before it was full says how far it looked. */
export function Scanned({ list, page }: { list: JobList; page: JobPage }) {
  if (page.scanned === null || page.next === null) return null;
  return (
    <p role="note" className="text-base text-kumo-subtle">
      No index serves this filter: {count(page.scanned)} jobs were looked at
      {page.reach !== null && (
        <>
          , {list.order === "oldest" ? "up to" : "back to"} the one {list.sort === "finished" ? "ended" : "submitted"}{" "}
          at <ExactTime at={page.reach} />
        </>
      )}
      ; {plural(page.jobs.length, "match", "match")}.{" "}
      <TextLink to={jobsAddress({ ...list, cursor: page.next })}>
        Go on looking at {list.order === "oldest" ? "newer" : "older"} ones
      </TextLink>
    </p>
  );
}
