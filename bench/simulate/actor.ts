import type { Registry } from "~/kinds/registry";
import type { Engine } from "~/lifecycle/engine";
import type { Runner } from "./machine";
import type { Told } from "./told";

export type Role = "submit" | "consume" | "sweep" | "bury" | "operator";

/** A deployment's machine: its clock goes by `skewMs` wrong, and its release knows these kinds. */
export type Isolate = { name: string; skewMs: number; newId: () => string; knowsAll: boolean };

/** One invocation. Killed, nothing it does has any effect any more, and its acknowledgements are gone. */
export type Actor = Runner & {
  role: Role;
  isolate: Isolate;
  engine: Engine;
  known: Registry;
  /** Of a consumer: job and attempt of each message in its hands. */
  asked: Map<string, number>;
  /** Of a dead-letter consumer: `job/attempt/generation` of its letters. */
  letters: Set<string>;
  /** The generations that it saw, or its operator, of jobs that it is to change. */
  seen: Map<string, Set<number>>;
  /** Of a sweep: the messages that were in the lanes when it looked. */
  inLanes: Set<string>;
  /** Of each effect that it has begun, by `job/name`: how things stood in D1 at that moment. */
  begun: Map<string, { recorded: boolean; held: boolean }>;
  told: Told;
  /** Attempts whose handler it began. */
  performed: { jobId: string; attempt: number }[];
  /** It gave up on D1: what it held comes back when the lease runs out. */
  gaveUp: boolean;
  ended: boolean;
  onKill: () => void;
};

export const sees = ({ seen }: Actor, { id, generation }: { id: string; generation: number }): void =>
  void seen.set(id, (seen.get(id) ?? new Set()).add(generation));
