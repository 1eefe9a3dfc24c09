import { type ReactNode, useEffect, useEffectEvent, useId, useRef } from "react";
import { Form, useSubmit } from "react-router";
import { ACTION_NAMES, actionLabel } from "~/domain/audit/actions";
import { type ActivityList, activityAddress } from "~/domain/audit/filter";
import { Button } from "../ui/button";
import { SELECT, SMALL_INPUT } from "../ui/field";
import { TextLink } from "../ui/text_link";

type Props = {
  list: ActivityList;
  /** What of the address was not understood, in words. */
  problems: string[];
  actors: string[];
};

/** Who, what, of what and when: all of it in the address. A choice is applied at once, what is typed by Enter. */
export function ActivityFilters({ list, problems, actors }: Props) {
  const submit = useSubmit();
  const id = useId();
  const ref = useRef<HTMLFormElement>(null);
  const address = activityAddress(list);
  const shown = useRef(list);
  const anew = useRef(false);
  // Another address puts into each field what it says otherwise than the one before, and the focus stays. All else stays as
  // it is: what was not understood, to be put right; what was typed while the page was on its way, or its scripts were.
  const fill = useEffectEvent(() => {
    for (const field of ref.current?.querySelectorAll<HTMLInputElement>("[name]") ?? []) {
      const name = field.name as keyof ActivityList;
      if (anew.current || list[name] !== shown.current[name]) field.value = list[name] ?? "";
    }
    anew.current = false;
    shown.current = list;
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list is another one at each look, its address is not
  useEffect(() => fill(), [address]);
  const { cursor: _, ...asked } = list;
  const apply = (form: HTMLFormElement) => submit(given(form), { action: "/activity" });
  return (
    <Form
      method="get"
      action="/activity"
      role="search"
      aria-label="Filter activity"
      ref={ref}
      onSubmit={(event) => {
        event.preventDefault();
        void apply(event.currentTarget);
      }}
      onChange={({ target, currentTarget }) => {
        if (target instanceof HTMLSelectElement) void apply(currentTarget);
      }}
      className="flex flex-wrap items-center gap-x-3 gap-y-2"
    >
      <Labelled id={`${id}-actor`} label="Who">
        <select
          id={`${id}-actor`}
          name="actor"
          defaultValue={list.actor ?? ""}
          className={`${SELECT} max-sm:max-w-none! max-sm:flex-1 sm:w-36`}
        >
          <option value="">Everybody</option>
          {[...new Set([...(list.actor ? [list.actor] : []), ...actors])].map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </Labelled>
      <Labelled id={`${id}-action`} label="What">
        <select
          id={`${id}-action`}
          name="action"
          defaultValue={list.action ?? ""}
          className={`${SELECT} max-sm:max-w-none! max-sm:flex-1 sm:w-52`}
        >
          <option value="">Everything</option>
          {ACTION_NAMES.map((name) => (
            <option key={name} value={name}>
              {actionLabel(name)}
            </option>
          ))}
        </select>
      </Labelled>
      <Labelled id={`${id}-object`} label="Of what">
        <input
          id={`${id}-object`}
          name="object"
          defaultValue={list.object}
          placeholder="an id, or a kind"
          autoComplete="off"
          spellCheck={false}
          className={`${SMALL_INPUT} sm:w-36!`}
        />
      </Labelled>
      <Labelled id={`${id}-at`} label="When">
        <input
          id={`${id}-at`}
          name="at"
          defaultValue={list.at}
          placeholder="1h, 7d, 2026-12-01"
          autoComplete="off"
          spellCheck={false}
          className={`${SMALL_INPUT} sm:w-36!`}
        />
      </Labelled>
      <Button type="submit" size="sm">
        Apply
      </Button>
      {Object.keys(asked).length > 0 && (
        <TextLink
          to={activityAddress()}
          className="text-sm"
          onClick={() => {
            anew.current = true;
          }}
        >
          Show all
        </TextLink>
      )}
      {problems.length > 0 && (
        <div role="alert" className="basis-full text-sm text-kumo-danger wrap-anywhere">
          {problems.map((text) => (
            <p key={text}>{text}</p>
          ))}
        </div>
      )}
    </Form>
  );
}

const Labelled = ({ id, label, children }: { id: string; label: string; children: ReactNode }) => (
  <span className="flex items-center gap-2 max-sm:basis-full">
    <label htmlFor={id} className="text-sm text-kumo-subtle max-sm:w-16 max-sm:shrink-0">
      {label}
    </label>
    {children}
  </span>
);

/** What goes without saying stays out of the address. */
function given(form: HTMLFormElement): URLSearchParams {
  const entries = [...new FormData(form)].filter(([, value]) => String(value).trim() !== "") as [string, string][];
  return new URLSearchParams(entries);
}
