import { backoff } from "~/domain/backoff";
import { RETRY_AFTER_MS } from "~/domain/limits";
import { JOB_ENDPOINTS } from "~/domain/webhooks/webhooks";
import { disableGone, type FirstTry, type Recorded, recordFirstTries, recordJobs } from "~/store/webhooks/deliveries";
import type { JobContext } from "../define";
import type { Try } from "./try";

const EVERY_MS = 5_000;
/** How soon the second try comes where the receiver asks for nothing; from then on the delivery job's own policy holds. */
export const SECOND_TRY = { baseMs: 5_000, factor: 2, capMs: 5_000, jitter: 0.2, maxAttempts: 2 };

type Finished = FirstTry & { gone: boolean };

/** First tries that have ended: written 50 at a time, or 5 s after the first of them; whoever failed gets a job of its own. */
export class Ledger {
  private finished: Finished[] = [];
  private writing: Promise<void> = Promise.resolve();
  private failure: { error: unknown } | null = null;

  constructor(
    private readonly ctx: JobContext,
    private readonly fanoutId: string,
  ) {}

  /** Throws once a write was refused: the attempt is somebody else's by now, and nothing more may be sent. */
  check(): void {
    if (this.failure) throw this.failure.error;
  }

  add(one: Omit<FirstTry, "delayMs">, { retryAfterMs, gone }: Try): void {
    const again = one.status === "retrying" && this.ctx.maxAttempts > 1;
    this.finished.push({
      ...one,
      status: one.status === "retrying" && !again ? "failed" : one.status,
      delayMs: again ? delayOf(one.n, retryAfterMs) : null,
      gone,
    });
    if (this.finished.length >= JOB_ENDPOINTS) this.flush();
    else if (this.finished.length === 1) {
      this.ctx.sleep(EVERY_MS).then(
        () => this.flush(),
        () => {},
      );
    }
  }

  async close(): Promise<void> {
    this.flush();
    await this.writing;
    this.check();
  }

  private flush(): void {
    const group = this.finished;
    this.finished = [];
    if (group.length === 0) return;
    this.writing = this.writing.then(async () => {
      if (this.failure) return;
      try {
        await this.write(group);
      } catch (error) {
        this.failure = { error };
      }
    });
  }

  private async write(group: Finished[]): Promise<void> {
    const gone = group.flatMap((one) => (one.gone && one.endpointId ? [one.endpointId] : []));
    await this.ctx.guarded(
      recordFirstTries(this.fanoutId, group),
      ...(gone.length > 0 ? [disableGone(gone, "{held}")] : []),
    );
    await this.goOn(group);
  }

  /** Submits a delivery job for each that failed and has none yet. Asked again with the same, it finds them there. */
  async goOn(tries: Pick<Recorded, "n" | "status" | "delayMs" | "target">[]): Promise<void> {
    const open = tries.filter((one) => one.status === "retrying");
    if (open.length === 0) return;
    const ids = await this.ctx.submit(
      open.map(({ n, delayMs, target }) => ({
        kind: "webhook_delivery",
        payload: { fanout: this.fanoutId, n, to: target },
        idempotencyKey: `${this.fanoutId}/delivery/${n}`,
        delaySeconds: Math.ceil((delayMs ?? 0) / 1000),
        // The first pass was its first try.
        maxAttempts: this.ctx.maxAttempts - 1,
        fanoutId: this.fanoutId,
      })),
    );
    await this.ctx.guarded(
      recordJobs(
        this.fanoutId,
        open.map(({ n }, index) => ({ n, jobId: ids[index] as string })),
      ),
    );
  }
}

/** Spread by its place in the list: the same however often the pass is repeated, and not all at one moment. */
const delayOf = (n: number, retryAfterMs: number): number =>
  Math.min(RETRY_AFTER_MS, Math.max(retryAfterMs, backoff(SECOND_TRY, 1, (n * 0.618) % 1)));
