import { useEffect, useSyncExternalStore } from "react";

/** Smaller differences are the time an answer is on its way: following them would make times jump. */
const TOLERANCE_MS = 2_000;

let offset = 0;
const listeners = new Set<() => void>();

/** The server's clock said `serverMs` just now. */
export function learnClock(serverMs: number): void {
  const difference = serverMs - Date.now();
  if (Math.abs(difference - offset) <= TOLERANCE_MS) return;
  offset = Math.abs(difference) <= TOLERANCE_MS ? 0 : difference;
  for (const listener of listeners) listener();
}

/** The server's clock minus this machine's: ages are told by the server's, however wrong this one goes. */
export function useClockOffset(readAt: number): number {
  useEffect(() => learnClock(readAt), [readAt]);
  return useSyncExternalStore(
    subscribe,
    () => offset,
    () => 0,
  );
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
