import { type KeyboardEvent, useId, useLayoutEffect, useState } from "react";
import { useRevalidator } from "react-router";
import { actionsFor, type Entry, entriesFor } from "~/domain/shell/palette";
import { useMay } from "../rights";
import { browserZone } from "../time/zone";
import { Dialog } from "../ui/dialog";
import { buttonsHere } from "./buttons";
import { useGo } from "./use_go";

type Props = {
  kinds: string[];
  mailbox: boolean;
  /** Only what can be done on this page. */
  here: boolean;
  /** What was typed before it came. */
  ahead: () => string;
  onClose: () => void;
  onSheet: () => void;
};

/** Jumps anywhere, or presses anything, by a few letters. */
export default function Palette({ kinds, mailbox, here, ahead, onClose, onSheet }: Props) {
  const go = useGo();
  const may = useMay();
  const { revalidate } = useRevalidator();
  const [typed, setTyped] = useState("");
  // biome-ignore lint/correctness/useExhaustiveDependencies: once it is there, it hears what is typed itself
  useLayoutEffect(() => setTyped(ahead()), []);
  const [at, setAt] = useState(0);
  const listId = useId();
  // Before the dialog takes the focus, which says which row is meant.
  const [buttons] = useState(() => (here ? buttonsHere() : []));
  const label = here ? "What can be done here" : "Page, kind, job id or action";
  const names = buttons.map(({ name }) => name);
  const entries = here
    ? actionsFor(typed, names)
    : entriesFor(typed, kinds, mailbox, (selector) => document.querySelector(`main ${selector}`) !== null, may.open);
  const active = Math.min(at, entries.length - 1);

  async function choose({ act }: Entry) {
    if ("do" in act) return onSheet();
    onClose();
    if ("to" in act) return go(act.to);
    if ("found" in act) return buttons[act.found]?.press();
    if ("press" in act) return document.querySelector<HTMLElement>(`main ${act.press}`)?.click();
    await fetch("/preferences", {
      method: "POST",
      body: new URLSearchParams({ ...act.set, timeZone: browserZone() }),
      headers: { accept: "application/json" },
    });
    return revalidate();
  }

  function onKeyDown(event: KeyboardEvent) {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by) setAt((active + by + entries.length) % entries.length);
    else if (event.key === "Enter" && entries[active]) void choose(entries[active]);
    else return;
    event.preventDefault();
  }

  return (
    <Dialog
      label={here ? "Actions" : "Jump to"}
      onClose={onClose}
      className="mt-[12vh] w-[min(36rem,calc(100vw-2rem))]"
    >
      <input
        autoFocus
        type="text"
        role="combobox"
        aria-expanded="true"
        aria-controls={listId}
        aria-activedescendant={entries[active] ? `${listId}-${active}` : undefined}
        aria-label={label}
        placeholder={label}
        autoComplete="off"
        spellCheck={false}
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
        className="h-12 w-full border-b border-kumo-hairline bg-transparent px-4 text-base outline-none placeholder:text-kumo-placeholder"
      />
      <div id={listId} role="listbox" aria-label="Found" className="max-h-[50vh] overflow-y-auto p-1.5">
        {entries.map((entry, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: by keyboard it is Enter in the field above
          <div
            key={`${entry.of} ${entry.name}`}
            id={`${listId}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            ref={(row) => {
              if (index === active) row?.scrollIntoView({ block: "nearest" });
            }}
            onPointerMove={() => setAt(index)}
            onClick={() => void choose(entry)}
            className={`flex cursor-pointer items-baseline justify-between gap-4 rounded px-2.5 py-1.5 ${
              index === active ? "bg-kumo-tint text-kumo-strong" : ""
            }`}
          >
            <span className="min-w-0 truncate">{entry.name}</span>
            <span className="shrink-0 text-sm text-kumo-subtle">{entry.of}</span>
          </div>
        ))}
      </div>
      <p className="sr-only" role="status">
        {entries.length} found
      </p>
    </Dialog>
  );
}
