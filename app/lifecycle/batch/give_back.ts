const FIRST_WAIT_S = 60;
const LONGEST_WAIT_S = 3_600;

/** Comes again, ever more seldom: its redeliveries, a hundred at most, then last for days. */
export function giveBack(raw: Message): void {
  raw.retry({ delaySeconds: Math.min(FIRST_WAIT_S * 2 ** Math.min(raw.attempts - 1, 10), LONGEST_WAIT_S) });
}
