/** A fixed number of places, taken in turn. */
export class Places {
  private waiting: (() => void)[] = [];

  constructor(private free: number) {}

  /** Resolves when a place is ours; call the returned function once to give it back. Rejects if `signal` aborts first. */
  async take(signal?: AbortSignal): Promise<() => void> {
    if (this.free > 0) this.free--;
    else await this.turn(signal);
    let given = false;
    return () => {
      if (given) return;
      given = true;
      const next = this.waiting.shift();
      if (next) next();
      else this.free++;
    };
  }

  private turn(signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        this.waiting = this.waiting.filter((entry) => entry !== go);
        reject(signal?.reason);
      };
      const go = () => {
        signal?.removeEventListener("abort", onAbort);
        resolve();
      };
      if (signal?.aborted) return reject(signal.reason);
      signal?.addEventListener("abort", onAbort, { once: true });
      this.waiting.push(go);
    });
  }
}
