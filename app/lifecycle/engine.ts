import { idSource, token } from "~/domain/ids";
import type { OutboundRules } from "~/domain/outbound";
import type { Registry } from "~/kinds/registry";
import { type Services, servicesOf } from "~/kinds/services";
import { Store } from "~/store/store";
import { consoleEvents, type Events } from "./events";
import { type Lanes, lanesOf } from "./lanes";
import { type Strain, strainBy } from "./trouble/strain";

export type Settings = {
  leaseMs: number;
  appVersion: string;
  /** An invocation stops taking work at this many D1 statements and hands the rest back. */
  statements: number;
  /** Where production ends an invocation, whatever it is doing. */
  mostStatements: number;
  /** A statement that takes D1 so long is told of, in ms. */
  slowMs: number;
  outbound: OutboundRules;
};

/** All that a verb of the lifecycle needs. Clock, randomness and faults come in here, so a test can own them. */
export type Engine = {
  store: Store;
  lanes: Lanes;
  kinds: Registry;
  /**
   * Kinds that were seen to have limits set by a person. Only a hint, kept by the isolate: their jobs are claimed by the
   * statement that counts at once. That of all others leaves jobs of kinds with limits out, so none slips through.
   */
  limited: Set<string>;
  services: Services;
  settings: Settings;
  events: Events;
  fetch: typeof fetch;
  newId: () => string;
  newToken: () => string;
  random: () => number;
  /** Of this isolate, over its invocations. */
  strain: Strain;
  /** This machine's clock in ms, for timers and durations only; instants come from D1. */
  localNow: () => number;
  /** Runs `then` in `ms`, unless the returned function is called before. */
  after: (ms: number, then: () => void) => () => void;
  /** A named moment between two steps. Does nothing here; a test makes a race or a crash of it. */
  seam: (site: string) => Promise<void>;
};

export type EngineEnv = {
  DB: D1Database;
  NORMAL: Queue;
  HIGH: Queue;
  LONG: Queue;
  DEAD: Queue;
};

const limited = new Set<string>();
const strain = strainBy(() => Date.now());

/** One engine an invocation: the store's counts are the invocation's. */
export function engineOf(env: EngineEnv, kinds: Registry, settings: Settings): Engine {
  return {
    store: new Store(env.DB).tellSlow(settings.slowMs, (slow) => consoleEvents({ event: "statement.slow", ...slow })),
    lanes: lanesOf({ normal: env.NORMAL, high: env.HIGH, long: env.LONG }, env.DEAD),
    kinds,
    limited,
    services: servicesOf(env),
    settings,
    events: consoleEvents,
    fetch: (input, init) => fetch(input, init),
    newId: idSource(() => Date.now()),
    newToken: token,
    random: () => Math.random(),
    strain,
    localNow: () => Date.now(),
    after(ms, then) {
      const timer = setTimeout(then, ms);
      return () => clearTimeout(timer);
    },
    seam: async () => {},
  };
}

export const pause = (engine: Pick<Engine, "after">, ms: number): Promise<void> =>
  new Promise((resolve) => void engine.after(ms, resolve));
