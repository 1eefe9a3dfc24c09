import { ArrowRightIcon } from "@phosphor-icons/react/dist/ssr/ArrowRight";
import { jobAddress } from "~/domain/addresses";
import { type Change, changesOf, jobsOf } from "~/domain/audit/changes";
import type { ActivityRow } from "~/domain/audit/feeds";
import { shortId } from "~/domain/format";
import { TextLink } from "../ui/text_link";

/** What was before and what is after, for whoever unfolds it. */
export function Changes({ row }: { row: ActivityRow }) {
  const [changes, jobs] = [changesOf(row), jobsOf(row)];
  if (changes.length + jobs.length === 0) return null;
  return (
    <details className="text-sm">
      <summary className="w-max cursor-pointer text-kumo-subtle select-none hover:text-kumo-default">
        {row.before !== null && row.after !== null ? "What changed" : "Details"}
      </summary>
      <dl className="mt-1.5 mb-1 flex flex-col gap-1 border-l-2 border-kumo-hairline pl-3">
        {changes.map((change) => (
          <div key={change.name} className="flex flex-wrap gap-x-2">
            <dt className="text-kumo-subtle">{change.name}</dt>
            <dd className="min-w-0 wrap-anywhere">
              <Values change={change} />
            </dd>
          </div>
        ))}
        {jobs.length > 0 && (
          <div className="flex flex-wrap gap-x-2">
            <dt className="text-kumo-subtle">{jobs.length === 1 ? "job" : "jobs"}</dt>
            {jobs.map((id) => (
              <dd key={id}>
                <TextLink to={jobAddress(id)} className="font-mono" title={id}>
                  {shortId(id)}
                </TextLink>
              </dd>
            ))}
          </div>
        )}
      </dl>
    </details>
  );
}

/** A change has two sides; of what is told once, an arrow would claim that it was something else before. */
function Values({ change: { before, after } }: { change: Change }) {
  if (before === null) return after;
  if (after === null) return <del>{before}</del>;
  return (
    <>
      <del className="text-kumo-subtle">{before}</del>
      <span className="sr-only">, now</span> <ArrowRightIcon aria-hidden="true" className="inline text-kumo-subtle" />{" "}
      <ins className="no-underline">{after}</ins>
    </>
  );
}
