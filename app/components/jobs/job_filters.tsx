import { useId } from "react";
import { Form, useNavigate } from "react-router";
import { type JobList, jobListOf, jobsAddress } from "~/domain/addresses";
import { count, plural } from "~/domain/format";
import type { Known } from "~/domain/query/suggest";
import { Button } from "../ui/button";
import { SELECT } from "../ui/field";
import { useAsked } from "../use_asked";
import { FilterBox } from "./filter_box";
import { FilterChips } from "./filter_chips";
import { ListMenus } from "./list_menus";

type Props = {
  list: JobList;
  problems: string[];
  /** Each with its number in the view that is shown. */
  kinds: { kind: string; n: number }[];
  causes: { cause: string; n: number }[];
  ofCause: number | null;
  /** Those that were looked up, newest first. */
  operations: { id: string; means: string }[];
  typed: string;
  onTyped: (text: string) => void;
};

/** The filters of a list: applied at once, or by a button where no script runs. All of them are in the address. */
export function JobFilters({ list, problems, kinds, causes, ofCause, operations, typed, onTyped }: Props) {
  const known: Known = {
    kind: kinds.map(({ kind, n }) => ({ value: kind, means: plural(n, "job") })),
    cause: causes.map(({ cause, n }) => ({ value: cause, means: `${count(n)} dead` })),
    operation: operations.map(({ id, means }) => ({ value: id, means })),
  };
  return (
    <>
      <div className="flex flex-wrap items-start gap-2">
        <KindSelect list={list} kinds={kinds} />
        <FilterBox {...{ list, problems, known, typed, onTyped }} />
        <ListMenus list={list} />
      </div>
      <FilterChips list={list}>
        {list.cause && (
          <span className="text-sm text-kumo-subtle">
            {ofCause !== null && `${plural(ofCause, "job")} of this cause. `}The tabs count all causes.
          </span>
        )}
      </FilterChips>
    </>
  );
}

function KindSelect({ list, kinds }: Pick<Props, "list" | "kinds">) {
  const navigate = useNavigate();
  const asked = useAsked();
  const id = useId();
  const known = list.kind && !kinds.some(({ kind }) => kind === list.kind) ? [{ kind: list.kind, n: 0 }] : [];
  const { kind: _, cursor: __, ...kept } = list;
  const choose = (kind: string) =>
    void navigate(jobsAddress({ ...jobListOf(asked()), kind: kind || undefined, cursor: undefined }));
  return (
    <Form method="get" action="/jobs" className="flex items-center gap-2">
      {Object.entries(kept).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <label htmlFor={id} className="text-sm text-kumo-subtle">
        Kind
      </label>
      <select
        id={id}
        name="kind"
        key={list.kind ?? ""}
        defaultValue={list.kind ?? ""}
        onChange={(event) => choose(event.target.value)}
        className={`${SELECT} w-44`}
      >
        <option value="">All kinds</option>
        {[...known, ...kinds].map(({ kind, n }) => (
          <option key={kind} value={kind}>
            {kind} ({count(n)})
          </option>
        ))}
      </select>
      <noscript>
        <Button type="submit" size="sm">
          Apply
        </Button>
      </noscript>
    </Form>
  );
}
