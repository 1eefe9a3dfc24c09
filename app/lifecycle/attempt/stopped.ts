/**
 * Why a running attempt is stopped from outside: its lease is lost, D1 has not answered for so long that others may take it
 * over, or a person cancelled it.
 */
export type Stop = "lost" | "unreachable" | "cancelled";

export class Stopped extends Error {
  constructor(readonly why: Stop) {
    super(`the attempt was stopped: ${why}`);
  }
}
