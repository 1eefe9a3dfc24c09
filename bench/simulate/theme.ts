/**
 * What the storm of a seed is mostly about: each leads often to places where the others hardly come. By the number of the
 * seed alone, so that one seed is always the same storm.
 */
export const THEMES = ["mixed", "letters", "bulk", "late", "limits", "reports", "hooks", "strays"] as const;
export type Theme = (typeof THEMES)[number];

export const themeOf = (seed: number): Theme => THEMES[seed % THEMES.length] as Theme;

/**
 * `hasty`: time goes by fast, so that leases run out and sweeps come; `strideMs`: how long nothing may happen, at most;
 * `busy`: much is submitted; `long`: more happens, since only every second sweep or so comes to what it is about.
 */
export const paceOf = (theme: Theme): { hasty: boolean; strideMs: number; busy: boolean; long: boolean } => ({
  hasty: isHasty(theme),
  strideMs: STRIDES[theme] ?? 900,
  busy: theme === "mixed" || theme === "bulk" || theme === "late" || theme === "limits" || theme === "strays",
  long: theme === "hooks",
});

/** Operations with a pace rest ten seconds between two chunks; of checks that were stopped only the next sweep tells. */
const STRIDES: Partial<Record<Theme, number>> = { late: 9_000, strays: 9_000, hooks: 18_000, bulk: 6_000 };

const isHasty = (theme: Theme) => theme === "late" || theme === "hooks" || theme === "strays";

/** Whole steps of this meet every fault before any comes again. */
const STRIDE = 3;

/**
 * Which fault a site meets next. In turn, not by the dice: one storm of a theme begins where the one before it began, and
 * one further, so that over the seeds each pair is met about as often as every other of its site.
 */
export class Turns {
  private readonly at = new Map<string, number>();
  private readonly first: number;

  constructor(seed: number) {
    this.first = Math.floor(seed / THEMES.length);
  }

  next<F>(site: string, faults: readonly F[]): F {
    const at = this.at.get(site) ?? this.first + lengthOf(site);
    this.at.set(site, at + STRIDE);
    return faults[at % faults.length] as F;
  }
}

/** Some number of a name: so that sites do not all begin with the same. */
const lengthOf = (site: string): number => [...site].reduce((sum, letter) => sum + letter.charCodeAt(0), 0);
