import type { Trouble } from "~/domain/trouble";

const REMEMBERED_MS = 60_000;
const MOST = 5;

/** How overloaded D1 was of late: whoever takes work takes less of it. */
export type Strain = {
  /** 0: not at all. Waves and groups are halved so many times. */
  level: () => number;
  note: (trouble: Trouble) => void;
};

/** Each overload counts for a minute; a minute without one, and all is as before. */
export function strainBy(localNow: () => number): Strain {
  let last = Number.NEGATIVE_INFINITY;
  let times = 0;
  const level = () => (localNow() - last < REMEMBERED_MS ? Math.min(times, MOST) : 0);
  return {
    level,
    note(trouble) {
      if (trouble !== "overloaded") return;
      times = level() + 1;
      last = localNow();
    },
  };
}
