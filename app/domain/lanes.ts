import { SHORT_TIMEOUT_MS } from "./limits";

/** A lane is a queue. Each has consumers of its own, so a backlog in one never delays another. */
export const LANES = ["normal", "high", "long"] as const;
export type Lane = (typeof LANES)[number];
export const PRIORITIES = ["normal", "high"] as const;
export type Priority = (typeof PRIORITIES)[number];

/** `long` wins over the priority: isolation from slow work matters more to everyone else than rank within it. */
export const laneOf = (timeoutMs: number, priority: Priority): Lane =>
  timeoutMs > SHORT_TIMEOUT_MS ? "long" : priority;
