import { type FormEvent, useEffect, useRef, useState } from "react";
import { useLocation } from "react-router";
import { ownText } from "~/domain/bulk/beside";
import { BULK_ACTIONS, type BulkAction, filterText, isKept } from "~/domain/bulk/bulk";
import type { JobRow } from "~/domain/feeds";
import { count } from "~/domain/format";
import { nameOf } from "../jobs/jobs_table";
import { useHydrated } from "../time/now";
import { Button } from "../ui/button";
import { askOf } from "./ask_of";
import { BulkButtons } from "./bulk_buttons";
import { countAll } from "./count_all";
import { PageBox } from "./page_box";
import { BULK_FORM, type Question } from "./question";
import { type All, clearSelection, type Place, pick, pickAll, type Selection, unpick } from "./selection";
import type { useBulk } from "./use_bulk";

type Props = {
  /** Rows on screen. */
  rows: JobRow[];
  /** Where they stand; `why`: this list cannot be meant as a whole. */
  place: Place;
  why: string | null;
  /** What stands in the filter box asks for others than these: nothing is done until it is applied, or taken out. */
  unapplied: boolean;
  /** How many jobs match it, and of which kinds. */
  matching: number | null;
  /** Jobs of operations among those of the list: they are not meant with it. */
  own: number;
  parts: Question["parts"];
  selection: Selection;
  bulk: ReturnType<typeof useBulk>;
  who: string;
};

const UNAPPLIED = "the filter in the box is not applied yet";

/** Above a list: what is selected, and what can be done with it. Stays in sight while anything is. */
export function BulkBar({ rows, place, why, unapplied, matching, own, parts, selection, bulk, who }: Props) {
  const hydrated = useHydrated();
  const { pathname, search } = useLocation();
  const [said, setSaid] = useState<string | null>(null);
  const form = useRef<HTMLFormElement>(null);
  const leaves = useRef(false);
  const { picked, all } = selection;
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was said of an earlier selection is over with it
  useEffect(() => {
    setSaid(null);
    if (!leaves.current) return;
    leaves.current = false;
    form.current?.querySelector<HTMLElement>(all ? "[data-clear]" : "input[type=checkbox]")?.focus();
  }, [selection]);
  /** A button that goes away with what it did: whoever was at it is then at what stands there. */
  function leaving(change: () => void) {
    leaves.current = form.current?.contains(document.activeElement) ?? false;
    change();
  }

  const meant = all?.counted ?? matching;
  const ask = (action: BulkAction) =>
    unapplied ? { why: UNAPPLIED } : askOf(action, { selection, matching: meant, parts, who });
  function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const action = ((event.nativeEvent as SubmitEvent).submitter as HTMLButtonElement).value as BulkAction;
    const asked = ask(action);
    if ("why" in asked) return setSaid(`${BULK_ACTIONS[action].label}: ${asked.why}.`);
    void bulk.ask(asked.question, asked.groups, clearSelection);
  }

  const here = rows.filter(({ id }) => picked.has(id)).length;
  const any = all !== null || picked.size > 0;
  // Of no use without a script; its place is kept, so that nothing moves when it comes.
  const unseen = hydrated ? "" : "invisible noscript:hidden";
  return (
    <form
      ref={form}
      id={BULK_FORM}
      method="post"
      action="/bulk"
      aria-label="Selected jobs"
      onSubmit={onSubmit}
      className={`flex min-h-11 flex-wrap items-center gap-x-3 gap-y-2 rounded-lg bg-kumo-base px-4 py-2 ring ring-kumo-line ${
        any
          ? "sticky top-14 z-10 shadow-md before:absolute before:-inset-x-px before:-top-3 before:h-3 before:bg-kumo-canvas lg:top-2"
          : ""
      }`}
    >
      {Object.entries(place.filter ?? {}).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <input type="hidden" name="back" value={pathname + search} />
      <PageBox
        n={rows.length}
        picked={all ? rows.length : here}
        className={unseen}
        onChange={(on) => (on ? pick(rows, nameOf, place) : unpick(rows.map(({ id }) => id)))}
      />
      <noscript>Tick jobs, then</noscript>
      <span role="status" className={`text-base tabular-nums wrap-anywhere ${unseen}`}>
        {selectedText(selection, meant, here)}
        {unapplied && <span className="text-kumo-warning"> · {UNAPPLIED}</span>}
      </span>
      {any && (
        <Button size="xs" variant="ghost" data-clear="" onClick={() => leaving(clearSelection)}>
          Clear<span className="sr-only"> the selection</span>
        </Button>
      )}
      {!all && (
        <SelectAll
          {...{ place, matching }}
          why={unapplied ? UNAPPLIED : why}
          className={unseen}
          onSay={setSaid}
          onAll={(all) => leaving(() => pickAll(all))}
        />
      )}
      {own > 0 && (all || !any) && <span className={`text-sm text-kumo-subtle ${unseen}`}>{ownText(own)}</span>}
      <BulkButtons
        whyNot={(action) => {
          const asked = hydrated ? ask(action) : null;
          return asked && "why" in asked ? asked.why : null;
        }}
        sending={bulk.sending !== null}
      />
      {said && (
        <p role="status" className="w-full text-sm text-kumo-warning">
          {said}
        </p>
      )}
    </form>
  );
}

type SelectAllProps = Pick<Props, "place" | "why" | "matching"> & {
  className: string;
  onSay: (text: string) => void;
  onAll: (all: All) => void;
};

/** From what is on this page to everything that matches: counted first, where no number of these is kept. */
function SelectAll({ place, why, matching, className, onSay, onAll }: SelectAllProps) {
  const [counting, setCounting] = useState(false);
  const { filter } = place;
  const looks = filter !== null && !isKept(filter);
  const not = why ?? (matching === 0 ? "nothing matches" : null);
  const n = not === null ? matching : null;
  async function onClick() {
    if (filter && n !== null) return onAll({ of: filter, filter, counted: null });
    if (not !== null || !filter) return not && onSay(`Select all matching: ${not}.`);
    if (!looks || counting) return;
    setCounting(true);
    const answer = await countAll(filter);
    setCounting(false);
    if ("why" in answer) onSay(`Select all matching: ${answer.why}.`);
    else if (answer.n === 0) onSay("Select all matching: nothing matches.");
    else onAll({ of: filter, filter: answer.filter, counted: answer.n });
  }
  return (
    <Button
      size="xs"
      variant="ghost"
      className={`text-kumo-link! ${className}`}
      title={not ?? undefined}
      aria-disabled={counting || (n === null && (!looks || not !== null))}
      onClick={() => void onClick()}
    >
      {counting ? "Counting…" : <>Select all {n !== null && `${count(n)} `}matching</>}
    </Button>
  );
}

function selectedText({ picked, all }: Selection, matching: number | null, here: number): string {
  if (all) return `All ${matching === null ? "" : `${count(matching)} `}${filterText(all.filter)} selected`;
  if (picked.size === 0) return "None selected";
  const elsewhere = picked.size - here;
  return `${count(picked.size)} selected${elsewhere > 0 ? `, ${count(elsewhere)} not on this page` : ""}`;
}
