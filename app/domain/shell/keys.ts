import { PAGES } from "./pages";

/** What a key was pressed with, and where. */
export type Pressed = { key: string; ctrl: boolean; meta: boolean; alt: boolean; shift: boolean; typing: boolean };

export type Command =
  | { do: "palette" | "actions" | "sheet" | "filter" | "back" | "requeue" | "wait" }
  | { do: "go"; to: string }
  | { do: "row"; by: 1 | -1 }
  | { do: "pick"; range: boolean };

const LETTERS: Record<string, Command> = {
  "?": { do: "sheet" },
  "/": { do: "filter" },
  ".": { do: "actions" },
  g: { do: "wait" },
  j: { do: "row", by: 1 },
  k: { do: "row", by: -1 },
  x: { do: "pick", range: false },
  X: { do: "pick", range: true },
  u: { do: "back" },
  r: { do: "requeue" },
};

/** So long after `g` the next letter names a page. */
export const WAIT_MS = 1_500;

/**
 * What a key asks for. Single letters are none where somebody types, and none at all where they are switched off: then
 * only Ctrl or ⌘ with K remains. `waiting`: the key before was `g`.
 */
export function commandOf(pressed: Pressed, { on, waiting }: { on: boolean; waiting: boolean }): Command | null {
  const { key, ctrl, meta, alt, shift, typing } = pressed;
  if ((ctrl || meta) && !alt && !shift && key.toLowerCase() === "k") return { do: "palette" };
  if (!on || typing || ctrl || meta || alt) return null;
  if (waiting) {
    const page = PAGES.find((one) => one.key === key);
    return page ? { do: "go", to: page.to } : null;
  }
  return Object.hasOwn(LETTERS, key) ? (LETTERS[key] ?? null) : null;
}

/** `sends`, `opens`: an address, of what not everybody may. */
type Shortcut = { keys: string[]; does: string; sends?: string; opens?: string };

/** The sheet of all of them, as people read it. */
export const SHORTCUTS: { where: string; shortcuts: Shortcut[] }[] = [
  {
    where: "Everywhere",
    shortcuts: [
      { keys: ["Ctrl K", "⌘ K"], does: "Jump to a page, a kind, a job, an action" },
      { keys: ["."], does: "What can be done here" },
      { keys: ["?"], does: "This sheet" },
      { keys: ["/"], does: "Filter box of the jobs" },
    ],
  },
  {
    where: "Lists",
    shortcuts: [
      { keys: ["j"], does: "Next row" },
      { keys: ["k"], does: "Row before" },
      { keys: ["Enter"], does: "Open the row" },
      { keys: ["x"], does: "Select the row, or not", sends: "/bulk" },
      { keys: ["Shift x"], does: "Select from the row selected before to this one", sends: "/bulk" },
    ],
  },
  {
    where: "One job",
    shortcuts: [
      { keys: ["r"], does: "Requeue", sends: "/jobs/:id/requeue" },
      { keys: ["u"], does: "Back to the list, where it was" },
    ],
  },
  { where: "Pages", shortcuts: PAGES.map(({ key, label, to }) => ({ keys: [`g ${key}`], does: label, opens: to })) },
];
