/** What the polling of a feed depends on. */
export type Polling = {
  /** The user switched refreshing off. */
  paused: boolean;
  hidden: boolean;
  /** Nothing can change any more, but by a person's action. */
  final: boolean;
  /** The last poll failed. */
  failed: boolean;
  /** Polls in a row that brought nothing new. */
  unchanged: number;
  /** No more often than this. */
  everyMs?: number;
};

const ACTIVE_MS = 2_000;
const QUIET_MS = 5_000;
const IDLE_MS = 15_000;
const QUIET_AFTER = 5;
const IDLE_AFTER = 15;

/** Milliseconds until the next poll; false: none. The whole policy is this function. */
export function pollInterval({ paused, hidden, final, failed, unchanged, everyMs = 0 }: Polling): number | false {
  if (paused || hidden || final) return false;
  return Math.max(everyMs, failed ? QUIET_MS : waitAfter(unchanged));
}

function waitAfter(unchanged: number): number {
  return unchanged >= IDLE_AFTER ? IDLE_MS : unchanged >= QUIET_AFTER ? QUIET_MS : ACTIVE_MS;
}
