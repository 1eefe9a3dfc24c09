import { countsOf, JOB_ENDPOINTS, webhookId } from "~/domain/webhooks/webhooks";
import { readRecorded } from "~/store/webhooks/deliveries";
import { readAddressees } from "~/store/webhooks/endpoints";
import type { JobContext } from "../define";
import type { Event } from "./event";
import { Ledger } from "./ledger";
import { addressedTo, tryOnce } from "./try";

/** As many as the invocation has places for. */
const CREW = 5;

/**
 * The first try of the endpoints from place `from` on, 50 at most, each on its own: one that fails or hangs stops none of
 * the others. What an earlier attempt recorded is not tried again.
 */
export async function pass(ctx: JobContext, fanoutId: string, event: Event, from: number) {
  const to = Math.min(from + JOB_ENDPOINTS, event.endpoints.length);
  const recorded = await readRecorded(ctx.store, fanoutId, from, to);
  const ledger = new Ledger(ctx, fanoutId);
  await ledger.goOn(recorded.filter((one) => one.jobId === null));

  const known = new Set(recorded.map((one) => one.n));
  const line = Array.from({ length: to - from }, (_, index) => from + index).filter((n) => !known.has(n));
  const saved = await readAddressees(
    ctx.store,
    line.flatMap((n) => event.endpoints[n]?.id ?? []),
  );
  let done = known.size;
  await Promise.all(
    Array.from({ length: CREW }, async () => {
      for (let n = line.shift(); n !== undefined; n = line.shift()) {
        ledger.check();
        await one(n);
        ctx.progress({ done: ++done, total: to - from });
      }
    }),
  );
  await ledger.close();
  return countsOf((await readRecorded(ctx.store, fanoutId, from, to)).map(({ status }) => status));

  async function one(n: number): Promise<void> {
    const addressed = addressedTo(ctx, event.endpoints[n] ?? {}, saved);
    const tried = await tryOnce(ctx, event, addressed, webhookId(fanoutId, n));
    if (tried.error) ctx.log(`endpoint ${n + 1}, ${addressed.target}: ${tried.error}`);
    const { endpointId, type, target } = addressed;
    const { status, httpStatus, durationMs, signed, error, answer } = tried;
    ledger.add(
      {
        n,
        endpointId,
        type,
        target,
        webhookId: webhookId(fanoutId, n),
        status,
        httpStatus,
        durationMs,
        signed,
        error,
        answer,
      },
      tried,
    );
  }
}
