import { THEMES, type Theme } from "./theme.ts";

/** Which seeds to simulate. Throws at what would simulate none, and so find nothing wrong, and says what is right. */
export function askedFor({ seeds, from, theme }: { seeds: string; from: string; theme?: string }): {
  seeds: number;
  from: number;
} {
  if (theme !== undefined && !THEMES.includes(theme as Theme))
    throw new RangeError(`--theme is one of ${THEMES.join(", ")}, not ${theme}`);
  return { seeds: wholeNumber("--seeds", seeds, 1), from: wholeNumber("--from", from, 0) };
}

function wholeNumber(name: string, text: string, least: number): number {
  if (!/^\d{1,9}$/.test(text) || Number(text) < least)
    throw new RangeError(`${name} is a whole number from ${least} on, not ${text}`);
  return Number(text);
}
