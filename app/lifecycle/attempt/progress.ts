import type { Progress } from "~/kinds/define";
import type { Claimed } from "~/store/claims";
import { writeProgress } from "~/store/progress";
import type { Engine } from "../engine";

const EVERY_MS = 1_000;
/** Of a long run ever more seldom: 13 minutes of it are some hundred writes, not 780. */
const SHARE_OF_TIME = 1 / 30;

/**
 * What the running jobs of an invocation say of their progress: the latest of each, together. At most a quarter of
 * the invocation's statements go into it; the last word of each job goes with its settle in any case.
 */
export class ProgressBoard {
  /** By attempt, not by job: a body that did not heed its signal must not speak for the next attempt. */
  private notes = new Map<Claimed, string>();
  private due = false;
  private readonly since: number;

  constructor(private readonly engine: Engine) {
    this.since = engine.localNow();
  }

  note(job: Claimed, progress: Progress): void {
    this.notes.set(job, JSON.stringify({ ...progress, note: progress.note?.slice(0, 200) }));
    if (this.due) return;
    this.due = true;
    const everyMs = Math.max(EVERY_MS, (this.engine.localNow() - this.since) * SHARE_OF_TIME);
    this.engine.after(everyMs, () => void this.write());
  }

  /** The last word of a job that has ended, if it is not written yet: it goes with the settle. */
  take(job: Claimed): string | null {
    const text = this.notes.get(job) ?? null;
    this.notes.delete(job);
    return text;
  }

  private async write(): Promise<void> {
    this.due = false;
    const { store, settings } = this.engine;
    if (store.used.statements >= settings.statements / 4) return;
    const notes = [...this.notes];
    this.notes.clear();
    if (notes.length === 0) return;
    const rows = notes.map(([job, text]) => ({ id: job.id, attempt: job.attempt, claim: job.token, text }));
    // Only shown, never decided upon: one that is lost is followed by the next.
    await writeProgress(this.engine.store, this.engine.newToken(), rows).catch((error) =>
      this.engine.events({ event: "database.unreachable", step: "progress", error: String(error) }),
    );
  }
}
