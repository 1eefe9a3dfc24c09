/** Why a running attempt is stopped from outside: its lease is lost, or a person cancelled it. */
export type Stop = "lost" | "cancelled";

export class Stopped extends Error {
  constructor(readonly why: Stop) {
    super(`the attempt was stopped: ${why}`);
  }
}
