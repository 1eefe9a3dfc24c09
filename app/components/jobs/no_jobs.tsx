import type { ReactNode } from "react";
import { type JobList, jobsAddress } from "~/domain/addresses";
import { count, plural } from "~/domain/format";
import { VIEWS } from "~/domain/states";
import { LinkButton } from "../ui/button";
import { Snippet } from "../ui/snippet";

type Props = {
  list: JobList;
  /** Whether any job is stored at all. */
  ever: boolean;
  /** How many jobs the list holds by the counts; null: it is not counted. */
  expected: number | null;
  scanned: number | null;
  next: string | null;
  curl: string;
};

/** A list that shows nothing says why, and what can be done: each reason has its own words. */
export function NoJobs({ list, ever, expected, scanned, next, curl }: Props) {
  if (scanned !== null && next !== null && expected !== 0) {
    return (
      <Nothing
        title="None among those looked at"
        actions={<LinkButton to={jobsAddress({ ...list, cursor: next })}>Go on looking</LinkButton>}
      >
        No index serves this filter: {count(scanned)} jobs were looked at, and none of them matches.{" "}
        {expected === null ? "There are older ones." : `It holds ${plural(expected, "job")} in all.`}
      </Nothing>
    );
  }
  if (!ever) {
    return (
      <Nothing
        title="No job has been submitted yet"
        actions={
          <LinkButton to="/submit" variant="primary">
            Submit a job
          </LinkButton>
        }
      >
        Submit the first one in the browser, or with a call:
        <Snippet text={curl} what="call" />
      </Nothing>
    );
  }
  const filtered = Boolean(list.view || list.kind || list.cause || list.q);
  return (
    <Nothing
      title={titleOf(list)}
      actions={
        filtered || list.cursor ? (
          <LinkButton to={list.cursor ? jobsAddress({ ...list, cursor: undefined }) : jobsAddress()}>
            {list.cursor ? "Back to the newest" : "Clear filters"}
          </LinkButton>
        ) : null
      }
    >
      {list.view ? `${VIEWS[list.view].label} means: ${VIEWS[list.view].means}.` : null}
    </Nothing>
  );
}

function titleOf({ view, kind, cause, q, cursor }: JobList): string {
  if (cursor) return "Nothing on this page any more";
  if (q) return "No job matches";
  const what = view ? `No ${VIEWS[view].label.toLowerCase()} jobs` : "No jobs";
  return `${what}${kind ? ` of the kind ${kind}` : ""}${cause ? " of this cause" : ""}`;
}

const Nothing = ({ title, children, actions }: { title: string; children: ReactNode; actions: ReactNode }) => (
  <div className="flex flex-col items-start gap-3 px-4 py-10 sm:items-center sm:text-center">
    <h2 className="text-lg font-semibold text-kumo-strong wrap-anywhere">{title}</h2>
    <div className="flex w-full max-w-xl flex-col gap-3 text-base text-kumo-subtle">{children}</div>
    {actions}
  </div>
);
