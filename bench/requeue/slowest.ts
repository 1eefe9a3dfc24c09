/** The longest statement that a server's log tells of; a shorter one than it was told to log is only known to be that. */
export function slowest(log: string, fromMs: number): { ms: number; statement: string } {
  let longest = { ms: fromMs, statement: "or less, each of them" };
  for (const [line] of log.matchAll(/\{"event":"statement\.slow".*\}/g)) {
    const { ms, statement } = JSON.parse(line) as { ms: number; statement: string };
    if (ms >= longest.ms) longest = { ms, statement };
  }
  return longest;
}
