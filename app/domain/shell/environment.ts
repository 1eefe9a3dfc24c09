import type { Tone } from "../states";

export type Environment = { name: string; tone: Tone };
const CHARS = 24;
const OTHERS = ["info", "success", "warning"] as const;

/** Which deployment this is, so that nobody acts on the wrong one: production is red, each other name has its own colour. */
export function environmentOf(text: string | undefined): Environment | null {
  const name = text?.trim().slice(0, CHARS) ?? "";
  if (name === "") return null;
  if (/^prod(uction)?$/i.test(name)) return { name, tone: "danger" };
  const sum = [...name.toLowerCase()].reduce((total, letter) => total + (letter.codePointAt(0) ?? 0), 0);
  return { name, tone: OTHERS[sum % OTHERS.length] as Tone };
}
