import { XIcon } from "@phosphor-icons/react/dist/ssr/X";
import { useId } from "react";
import { Form, useSubmit } from "react-router";
import { type JobList, jobsAddress } from "~/domain/addresses";
import { plural } from "~/domain/format";
import { useHydrated } from "../time/now";
import { Button, LinkButton } from "../ui/button";
import { SELECT } from "../ui/field";

/** The filters of a list: applied at once, or by a button where no script runs. All of them are in the address. */
export function JobFilters(props: { list: JobList; kinds: string[]; ofCause: number | null }) {
  const { list, kinds, ofCause } = props;
  const submit = useSubmit();
  const hydrated = useHydrated();
  const kindId = useId();
  const known = list.kind && !kinds.includes(list.kind) ? [list.kind, ...kinds] : kinds;
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Form
        method="get"
        action="/jobs"
        className="flex items-center gap-2"
        onChange={(event) => submit(stripped(event.currentTarget))}
      >
        {list.view && <input type="hidden" name="view" value={list.view} />}
        <label htmlFor={kindId} className="text-sm text-kumo-subtle">
          Kind
        </label>
        <select id={kindId} name="kind" key={list.kind ?? ""} defaultValue={list.kind ?? ""} className={SELECT}>
          <option value="">All kinds</option>
          {known.map((kind) => (
            <option key={kind} value={kind}>
              {kind}
            </option>
          ))}
        </select>
        {!hydrated && (
          <Button type="submit" size="sm">
            Apply
          </Button>
        )}
      </Form>
      {list.cause && (
        <LinkButton
          size="sm"
          to={jobsAddress({ ...list, cause: undefined, cursor: undefined })}
          className="max-w-full"
          aria-label={`Remove the filter on the cause ${list.cause}`}
        >
          <span className="min-w-0 truncate">
            <span className="text-kumo-subtle">Cause</span> {list.cause}
          </span>
          <XIcon aria-hidden="true" className="shrink-0" />
        </LinkButton>
      )}
      {list.cause && (
        <span className="text-sm text-kumo-subtle">
          {ofCause !== null && `${plural(ofCause, "job")} of this cause. `}The tabs count all causes.
        </span>
      )}
    </div>
  );
}

/** What goes without saying stays out of the address. */
function stripped(form: HTMLFormElement): URLSearchParams {
  const entries = [...new FormData(form)].filter(([, value]) => value !== "") as [string, string][];
  return new URLSearchParams(entries);
}
