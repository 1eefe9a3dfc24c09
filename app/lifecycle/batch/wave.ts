import type { Engine } from "../engine";
import { CREW } from "./shift";
import type { Ticket } from "./ticket";

/** What does not start this soon after its batch came is handed back: nobody waits behind a slow job. */
export const START_WITHIN_MS = 10_000;
/** As many as a batch has. */
const MOST = 100;

/**
 * The next tickets that can all start in time, going by how long their kinds usually take: a hundred of 10 ms each, or
 * five of 30 s; and that `statements` of D1 are enough for. Fewer where D1 was overloaded of late. At least one.
 * `elapsedMs`: since the batch came.
 */
export function waveOf(
  engine: Pick<Engine, "kinds" | "strain">,
  line: Ticket[],
  elapsedMs: number,
  statements: number,
): Ticket[] {
  const freeAt = Array.from({ length: CREW }, () => elapsedMs);
  const most = MOST >> engine.strain.level();
  let taken = 0;
  let left = statements;
  for (const { message } of line) {
    const kind = engine.kinds.get(message.kind);
    const slot = freeAt.indexOf(Math.min(...freeAt));
    left -= kind?.statements ?? 0;
    if (taken > 0 && ((freeAt[slot] as number) >= START_WITHIN_MS || left < 0 || taken >= most)) break;
    freeAt[slot] = (freeAt[slot] as number) + (kind?.usualMs ?? 0);
    taken++;
  }
  return line.slice(0, taken);
}
