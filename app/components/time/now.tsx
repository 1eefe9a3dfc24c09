import { createContext, type ReactNode, useContext, useEffect, useState, useSyncExternalStore } from "react";

type Clock = {
  /** The server's clock when the page was read: server and first client render both tell times by it. */
  readonly readAt: number;
  now: () => number;
  setOffset: (ms: number) => void;
  subscribe: (listener: () => void) => () => void;
};

const ClockContext = createContext<Clock>(clockOf(0));

/** Times below tell how long ago something was, and go on telling it. `offsetMs`: the server's clock minus this one's. */
export function NowProvider({ readAt, offsetMs, children }: { readAt: number; offsetMs: number; children: ReactNode }) {
  const [clock] = useState(() => clockOf(readAt));
  useEffect(() => clock.setOffset(offsetMs), [clock, offsetMs]);
  return <ClockContext value={clock}>{children}</ClockContext>;
}

/** What `tell` says of now; drawn again when it says something else. */
export function useNow<T extends string | number | boolean>(tell: (nowMs: number) => T): T {
  const clock = useContext(ClockContext);
  return useSyncExternalStore(
    clock.subscribe,
    () => tell(clock.now()),
    () => tell(clock.readAt),
  );
}

/** The server's clock in ms, as far as this page knows it. */
export const useServerNow = (): (() => number) => useContext(ClockContext).now;

const never = () => () => {};

/** False on the server and in the first client render, which must be the same. */
export const useHydrated = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  );

function clockOf(readAt: number): Clock {
  const listeners = new Set<() => void>();
  let offset = 0;
  let current = readAt;
  let timer: ReturnType<typeof setInterval> | undefined;
  const tick = () => {
    current = Date.now() + offset;
    for (const listener of listeners) listener();
  };
  return {
    readAt,
    now: () => current,
    setOffset(ms) {
      offset = ms;
      tick();
    },
    subscribe(listener) {
      if (listeners.size === 0) {
        current = Date.now() + offset;
        timer = setInterval(tick, 1_000);
      }
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) clearInterval(timer);
      };
    },
  };
}
