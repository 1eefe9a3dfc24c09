/**
 * What the storm of a seed is mostly about: each leads often to places where the others hardly come. By the number of the
 * seed alone, so that one seed is always the same storm.
 */
export const THEMES = ["mixed", "letters", "bulk", "late", "limits", "reports", "hooks", "strays"] as const;
export type Theme = (typeof THEMES)[number];

export const themeOf = (seed: number): Theme => THEMES[seed % THEMES.length] as Theme;

/**
 * `hasty`: time goes by fast, so that leases run out and sweeps come; `strideMs`: how long nothing may happen, at most;
 * `busy`: much is submitted.
 */
export const paceOf = (theme: Theme): { hasty: boolean; strideMs: number; busy: boolean } => ({
  hasty: isHasty(theme),
  // Operations with a pace rest ten seconds between two chunks.
  strideMs: isHasty(theme) ? 9_000 : theme === "bulk" ? 6_000 : 900,
  busy: theme === "mixed" || theme === "bulk" || theme === "late" || theme === "limits" || theme === "strays",
});

const isHasty = (theme: Theme) => theme === "late" || theme === "hooks" || theme === "strays";

/** Golden: its multiples fall evenly between 0 and 1, also those of every eighth seed. */
const EVENLY = 0.6180339887498949;
/** Whole steps of this meet every fault before any comes again. */
const STRIDE = 3;

/**
 * Which fault a site meets next. In turn, not by the dice: where the turn begins depends on seed and site, so that over
 * the seeds each pair is met about as often as every other of its site.
 */
export class Turns {
  private readonly at = new Map<string, number>();
  private readonly seed: number;

  constructor(seed: number) {
    this.seed = seed;
  }

  next<F>(site: string, faults: readonly F[]): F {
    const at = this.at.get(site) ?? Math.floor(((this.seed * EVENLY) % 1) * faults.length) + lengthOf(site);
    this.at.set(site, at + STRIDE);
    return faults[at % faults.length] as F;
  }
}

/** Some number of a name: so that sites do not all begin with the same. */
const lengthOf = (site: string): number => [...site].reduce((sum, letter) => sum + letter.charCodeAt(0), 0);
