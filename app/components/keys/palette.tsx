import { type KeyboardEvent, useId, useState } from "react";
import { useNavigate, useRevalidator } from "react-router";
import { type Entry, entriesFor } from "~/domain/palette";
import { Dialog } from "../ui/dialog";

type Props = { kinds: string[]; mailbox: boolean; onClose: () => void; onSheet: () => void };

/** Jumps anywhere by a few letters. */
export default function Palette({ kinds, mailbox, onClose, onSheet }: Props) {
  const navigate = useNavigate();
  const { revalidate } = useRevalidator();
  const [typed, setTyped] = useState("");
  const [at, setAt] = useState(0);
  const listId = useId();
  const entries = entriesFor(typed, kinds, mailbox, (selector) => document.querySelector(`main ${selector}`) !== null);
  const active = Math.min(at, entries.length - 1);

  async function choose({ act }: Entry) {
    if ("do" in act) return onSheet();
    onClose();
    if ("to" in act) return navigate(act.to);
    if ("press" in act) return document.querySelector<HTMLElement>(`main ${act.press}`)?.click();
    await fetch("/preferences", {
      method: "POST",
      body: new URLSearchParams(act.set),
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
    <Dialog label="Jump to" onClose={onClose} className="mt-[12vh] w-[min(36rem,calc(100vw-2rem))]">
      <input
        autoFocus
        type="text"
        role="combobox"
        aria-expanded="true"
        aria-controls={listId}
        aria-activedescendant={entries[active] ? `${listId}-${active}` : undefined}
        aria-label="Page, kind, job id or action"
        placeholder="Page, kind, job id or action"
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
