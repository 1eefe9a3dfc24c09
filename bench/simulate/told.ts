import type { Rows, Statement } from "~/store/store";

/** What the heartbeats of an invocation have said: whom somebody asked to stop. Nothing of such an attempt begins from then on. */
export class Told {
  private readonly stopped = new Set<string>();
  private readonly beginnings = new Set<string>();

  /** The reply to a heartbeat, which asked for `[[job, attempt, token], …]`, has come. */
  hears(asked: Statement[], renewals: Rows): void {
    const held = JSON.parse((asked[0] as Statement).params[0] as string) as [string, number, string][];
    for (const [id, attempt] of held) {
      if (renewals.some((row) => row.id === id && row.cancelRequested)) this.stopped.add(`${id}/${attempt}`);
    }
  }

  stops = (jobId: string, attempt: number): boolean => this.stopped.has(`${jobId}/${attempt}`);

  /** What is wrong with beginning an effect now; null: nothing. One that is asked for again was begun before. */
  wrongWith(asked: Statement[]): string | null {
    const [id, attempt, , name, token] = (asked[2] as Statement).params as [string, number, string, string, string];
    const again = this.beginnings.has(token);
    this.beginnings.add(token);
    return !again && this.stops(id, attempt)
      ? `effect ${name} of ${id} is begun by an attempt that was told to stop`
      : null;
  }
}
