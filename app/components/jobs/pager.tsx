import { ArrowLeftIcon } from "@phosphor-icons/react/dist/ssr/ArrowLeft";
import { ArrowRightIcon } from "@phosphor-icons/react/dist/ssr/ArrowRight";
import { type JobList, jobsAddress } from "~/domain/addresses";
import type { JobPage } from "~/domain/feeds";
import { LinkButton } from "../ui/button";

/** Newer and older, by cursor: there is no page number to be wrong about. */
export function Pager({ list, page }: { list: JobList; page: JobPage }) {
  const { previous, next } = page;
  if (!previous && !next) return null;
  return (
    <nav aria-label="Pages" className="flex items-center justify-between gap-2">
      {previous ? (
        <span className="flex gap-2">
          <LinkButton
            size="sm"
            to={jobsAddress({ ...list, cursor: previous })}
            rel="prev"
            icon={<ArrowLeftIcon aria-hidden="true" />}
          >
            Newer
          </LinkButton>
          {list.cursor && (
            <LinkButton size="sm" variant="ghost" to={jobsAddress({ ...list, cursor: undefined })}>
              Newest
            </LinkButton>
          )}
        </span>
      ) : (
        <span />
      )}
      {next && (
        <LinkButton size="sm" to={jobsAddress({ ...list, cursor: next })} rel="next">
          Older
          <ArrowRightIcon aria-hidden="true" />
        </LinkButton>
      )}
    </nav>
  );
}
