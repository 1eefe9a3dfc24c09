import { jobAddress, jobsAddress } from "../addresses";
import { idTime } from "../ids";
import { PAGES } from "./pages";

/** Something to jump to, or to do. */
export type Entry = {
  name: string;
  /** What sort of thing it is. */
  of: string;
  act:
    | { to: string }
    | { set: Record<string, string> }
    | { do: "sheet" }
    /** Presses a button of the page, where it has one. */
    | { press: string }
    /** Presses that one of the buttons that were found. */
    | { found: number };
};

const SHOWN = 20;

const ACTIONS: Entry[] = [
  { name: "Requeue this job", of: "action", act: { press: "[data-requeue]:not([aria-disabled=true], tr *)" } },
  { name: "Cancel this job", of: "action", act: { press: "[data-cancel]:not([aria-disabled=true], tr *)" } },
  { name: "Refresh now", of: "action", act: { press: "button[aria-label='Refresh now']" } },
  { name: "Auto refresh off", of: "setting", act: { set: { every: "off" } } },
  { name: "Auto refresh every 2 s", of: "setting", act: { set: { every: "2" } } },
  { name: "Light colours", of: "setting", act: { set: { theme: "light" } } },
  { name: "Dark colours", of: "setting", act: { set: { theme: "dark" } } },
  { name: "Colours as the system", of: "setting", act: { set: { theme: "system" } } },
  { name: "Times in UTC", of: "setting", act: { set: { zone: "utc" } } },
  { name: "Times by this browser's clock", of: "setting", act: { set: { zone: "local" } } },
  { name: "Keyboard shortcuts", of: "action", act: { do: "sheet" } },
];

/** What fits what was typed: each word somewhere in the name. A job's id opens it; anything else can be searched for. */
export function entriesFor(
  typed: string,
  kinds: string[],
  mailbox: boolean,
  isThere: (selector: string) => boolean,
  mayOpen: (address: string) => boolean,
): Entry[] {
  const text = typed.trim();
  const fit = fitting(text, all(kinds, mailbox)).filter(
    ({ act }) => (!("press" in act) || isThere(act.press)) && (!("to" in act) || mayOpen(act.to)),
  );
  const id = text.toLowerCase();
  const first: Entry[] =
    idTime(id) === null ? [] : [{ name: `Open job ${id}`, of: "job", act: { to: jobAddress(id) } }];
  const last: Entry[] =
    text === "" ? [] : [{ name: `Search jobs for “${text}”`, of: "search", act: { to: searchAddress(text) } }];
  return [...first, ...fit.slice(0, SHOWN), ...last];
}

/** What can be done on a page, by the names of its buttons. */
export const actionsFor = (typed: string, buttons: string[]): Entry[] =>
  fitting(
    typed,
    buttons.map((name, found) => ({ name, of: "action", act: { found } })),
  );

function fitting(typed: string, entries: Entry[]): Entry[] {
  const words = typed.trim().toLowerCase().split(/\s+/);
  return entries.filter(({ name, of }) => words.every((word) => `${name} ${of}`.toLowerCase().includes(word)));
}

const all = (kinds: string[], mailbox: boolean): Entry[] => [
  ...PAGES.filter(({ to }) => mailbox || to !== "/mail").map(({ to, label }) => ({
    name: label,
    of: "page",
    act: { to },
  })),
  ...ACTIONS.filter(({ act }) => "press" in act),
  ...kinds.flatMap((kind) => [
    { name: `Jobs of ${kind}`, of: "kind", act: { to: jobsAddress({ kind }) } },
    { name: `Dead jobs of ${kind}`, of: "kind", act: { to: jobsAddress({ view: "dead", kind }) } },
    { name: `Submit ${kind}`, of: "kind", act: { to: `/submit?${new URLSearchParams({ kind })}` } },
  ]),
  ...ACTIONS.filter(({ act }) => !("press" in act)),
];

/** Read as the filter box reads it. */
const searchAddress = (text: string): string => `/jobs?${new URLSearchParams({ q: text })}`;
