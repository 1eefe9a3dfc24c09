import { isFinal, type State } from "../states";
import {
  countsOf,
  type DeliveryRow,
  type EndpointType,
  type Fanout,
  JOB_ENDPOINTS,
  overallOf,
  shownTarget,
  webhookId,
} from "./webhooks";

/** The kind whose jobs hold an event. */
export const FANOUT_KIND = "webhook_fanout";

/** A job that tries a part of an event's endpoints first, by the place of its first one. */
export type Part = { from: number; id: string; state: State };

/** All endpoints of an event in its order: what is recorded, and for the others whether anybody still comes to them. */
export function fanoutOf(id: string, payload: unknown, recorded: DeliveryRow[], parts: Part[]): Fanout {
  const { endpoints } = payload as { endpoints: Listed[] };
  const known = new Map(recorded.map((row) => [row.n, row]));
  const jobs = new Map(parts.map((part) => [part.from, part]));
  const deliveries = endpoints.map((to, n): DeliveryRow => {
    const row = known.get(n);
    if (row) return row;
    const first = jobs.get(0);
    const part = jobs.get(n - (n % JOB_ENDPOINTS));
    // A part that was never submitted: its fan-out ended before.
    const ended = part ? isFinal(part.state) : first !== undefined && isFinal(first.state);
    const type = to.type ?? "standard";
    return {
      fanoutId: id,
      n,
      webhookId: webhookId(id, n),
      endpointId: to.id ?? null,
      type,
      target: to.id ? `saved endpoint ${to.id}` : shownTarget(type, to.url ?? to.path ?? "/", to.service ?? null),
      status: ended ? "failed" : "waiting",
      attempts: 0,
      httpStatus: null,
      durationMs: null,
      signed: false,
      at: null,
      nextAt: null,
      jobId: part?.id ?? null,
      error: ended ? `its job is ${(part ?? first)?.state}: requeue it to go on` : null,
      answer: null,
    };
  });
  const counts = countsOf(deliveries.map((row) => row.status));
  return { overall: overallOf(counts), counts, deliveries };
}

type Listed = { id?: string; type?: EndpointType; url?: string; service?: string; path?: string };
