import { type KeyboardEvent, useId, useRef, useState } from "react";
import { Form, useNavigate } from "react-router";
import { type JobList, jobListOf, jobsAddress } from "~/domain/addresses";
import { readJobList, refiltered } from "~/domain/query/list";
import { parseQuery } from "~/domain/query/parse";
import { type Known, lastWord, type Suggestion, suggest } from "~/domain/query/suggest";
import { SMALL_INPUT } from "../ui/field";
import { useAsked } from "../use_asked";
import { Suggestions } from "./suggestions";

type Props = {
  list: JobList;
  /** What of the address was not understood, in words. */
  problems: string[];
  known: Known;
  /** What stands in the box, and is not applied yet. */
  typed: string;
  onTyped: (text: string) => void;
};

/**
 * One box for everything a list can be asked: qualifiers with their values, and text. What is applied stands beside it as
 * chips, and in the address. Without a script it is a form that sends one more `q`.
 */
export function FilterBox({ list, problems, known, typed, onTyped }: Props) {
  const navigate = useNavigate();
  const asked = useAsked();
  const id = useId();
  const ref = useRef<HTMLInputElement>(null);
  const [open, setOpen] = useState(false);
  const [at, setAt] = useState(-1);
  const [wrong, setWrong] = useState<string[]>([]);
  const found = open ? suggest(typed, known) : [];
  const said = wrong.length > 0 ? wrong : problems;

  function apply(text: string) {
    const params = new URLSearchParams(jobsAddress({ ...jobListOf(asked()), cursor: undefined }).split("?")[1]);
    params.append("q", text);
    const next = readJobList(params);
    setWrong(next.problems);
    setOpen(false);
    setAt(-1);
    // What was not understood stays in the box, to be put right.
    if (next.problems.length > 0) return onTyped(text);
    onTyped("");
    void navigate(jobsAddress(next.list));
  }

  function choose({ insert, whole }: Suggestion) {
    const text = typed.slice(0, typed.length - lastWord(typed).length) + insert;
    if (whole) return apply(text);
    onTyped(text);
    setAt(-1);
    ref.current?.focus();
  }

  function onKeyDown(event: KeyboardEvent) {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by && !open) setOpen(true);
    else if (by && found.length > 0) setAt((at + by + found.length + (at < 0 && by < 0 ? 1 : 0)) % found.length);
    else if (event.key === "Enter" && found[at]) choose(found[at]);
    else if (event.key === "Escape" && (open || typed)) open ? setOpen(false) : onTyped("");
    else if (event.key === "Backspace" && typed === "") takeBack();
    else return;
    if (event.key !== "Backspace") event.preventDefault();
  }

  /** The last thing that was added in here. */
  function takeBack() {
    const last = jobListOf(asked());
    const { terms, text } = parseQuery(last.q ?? "");
    if (terms.length === 0 && text === "") return;
    const query = text === "" ? { terms: terms.slice(0, -1), text } : { terms, text: "" };
    const { view, kind, cause } = last;
    void navigate(jobsAddress({ ...refiltered(last, query), view, kind, cause }));
  }

  const { cursor: _, ...kept } = list;
  return (
    <Form
      method="get"
      action="/jobs"
      role="search"
      aria-label="Filter jobs"
      className="relative min-w-56 flex-1 basis-full sm:basis-0"
      onSubmit={(event) => {
        event.preventDefault();
        if (typed.trim()) apply(typed);
      }}
    >
      {Object.entries(kept).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <input
        ref={ref}
        data-filter=""
        name="q"
        type="text"
        role="combobox"
        aria-label="Filter"
        aria-autocomplete="list"
        aria-expanded={found.length > 0}
        aria-controls={`${id}-found`}
        aria-activedescendant={found[at] ? `${id}-found-${at}` : undefined}
        aria-describedby={said.length > 0 ? `${id}-said` : undefined}
        aria-invalid={said.length > 0 || undefined}
        placeholder="kind:send_email  created:1h  or any text"
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        value={typed}
        onChange={(event) => {
          onTyped(event.target.value);
          setWrong([]);
          setOpen(true);
          setAt(-1);
        }}
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onKeyDown={onKeyDown}
        className={SMALL_INPUT}
      />
      <Suggestions id={`${id}-found`} found={found} at={at} onPoint={setAt} onChoose={choose} />
      <div id={`${id}-said`} role="alert">
        {said.map((text) => (
          <p key={text} className="mt-1.5 text-sm text-kumo-danger wrap-anywhere">
            {text}
          </p>
        ))}
      </div>
    </Form>
  );
}
