import { XIcon } from "@phosphor-icons/react/dist/ssr/X";
import type { ReactNode } from "react";
import { type JobList, jobsAddress } from "~/domain/addresses";
import { shownValues } from "~/domain/query/fields";
import { parseQuery, type Term } from "~/domain/query/parse";
import { writeQuery, writeTerm } from "~/domain/query/write";
import { LinkButton } from "../ui/button";

/** What the list filters by, but for its tab and its kind, which stand above: each can be taken away. */
export function FilterChips({ list, children }: { list: JobList; children?: ReactNode }) {
  const { terms, text } = parseQuery(list.q ?? "");
  if (!list.cause && terms.length === 0 && text === "") return null;
  const without = (q: string) => jobsAddress({ ...list, q: q || undefined, cursor: undefined });
  const but = (term: Term) => writeQuery({ terms: terms.filter((one) => one !== term), text });
  return (
    <div className="flex flex-wrap items-center gap-2">
      {list.cause && (
        <Chip to={jobsAddress({ ...list, cause: undefined, cursor: undefined })}>
          <span className="text-kumo-subtle">Cause</span> {list.cause}
        </Chip>
      )}
      {terms.map((term) => (
        <Chip key={writeTerm(term)} to={without(but(term))}>
          <span className="text-kumo-subtle">
            {term.not ? "not " : ""}
            {term.field}
          </span>{" "}
          {shownValues(term.field, term.values).join(" or ")}
        </Chip>
      ))}
      {text && (
        <Chip to={without(writeQuery({ terms, text: "" }))}>
          <span className="text-kumo-subtle">label or cause holds</span> “{text}”
        </Chip>
      )}
      {children}
    </div>
  );
}

const Chip = ({ to, children }: { to: string; children: ReactNode }) => (
  <LinkButton size="sm" to={to} className="max-w-full">
    <span className="min-w-0 truncate">
      <span className="sr-only">Remove the filter </span>
      {children}
    </span>
    <XIcon aria-hidden="true" className="shrink-0" />
  </LinkButton>
);
