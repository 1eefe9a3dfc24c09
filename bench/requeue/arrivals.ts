import { setTimeout as pause } from "node:timers/promises";

/** Between two calls. */
const PACE_MS = 300;
const PATIENCE_MS = 180_000;

export type Arrival = { id: string; dies: boolean };

/** Jobs that come in meanwhile, ten a call; two of them die of the cause that is requeued, one of these at once. */
export class Arrivals {
  readonly accepted: Arrival[] = [];
  private readonly url: string;
  /** Keys begin with it: no two of these are told the same jobs. */
  private readonly name: string;
  private stopped = false;
  private coming: Promise<void> | undefined;

  constructor(url: string, name: string) {
    this.url = url;
    this.name = name;
  }

  begin(): void {
    this.coming = this.come();
  }

  async end(): Promise<void> {
    this.stopped = true;
    await this.coming;
  }

  private async come(): Promise<void> {
    for (let call = 0; !this.stopped; call++) {
      const jobs = Array.from({ length: 10 }, (_, n) => ({
        kind: "demo",
        payload: n < 2 ? { permanent: true } : {},
        idempotencyKey: `${this.name} ${call}/${n}`,
        ...(n === 0 && { priority: "high" }),
      }));
      const ids = await taken(this.url, jobs);
      this.accepted.push(...ids.map((id, n) => ({ id, dies: n < 2 })));
      await pause(PACE_MS);
    }
  }
}

/** Asked until it is answered: one that was taken before its reply was lost is answered as it was. */
async function taken(url: string, jobs: object[]): Promise<string[]> {
  for (const until = Date.now() + PATIENCE_MS; ; await pause(500)) {
    try {
      const headers = { "content-type": "application/json" };
      const response = await fetch(`${url}/api/v1/jobs`, { method: "POST", headers, body: JSON.stringify(jobs) });
      if (response.status === 202) return ((await response.json()) as { ids: string[] }).ids;
      throw new Error(`${response.status} ${await response.text()}`);
    } catch (error) {
      if (Date.now() > until) throw error;
    }
  }
}
