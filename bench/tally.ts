import type { Engine } from "~/lifecycle/engine";
import type { Event } from "~/lifecycle/events";
import type { Store, Used } from "~/store/store";
import { add, metered, minus, none, noVerbs, type Verb } from "~/testing/meter";

export type QueueOps = { written: number; read: number; deleted: number };
export type Tally = { used: Used; verbs: Record<Verb | "other", Used>; queue: QueueOps; events: Event[] };

/** Queues are billed by the message, for each 64 KB of it begun. */
const UNIT_BYTES = 64_000;

let stores: Store[] = [];
let verbs = noVerbs();
let queue: QueueOps = { written: 0, read: 0, deleted: 0 };
let events: Event[] = [];

export function reset(): void {
  stores = [];
  verbs = noVerbs();
  queue = { written: 0, read: 0, deleted: 0 };
  events = [];
}

/** The same engine, with what it uses written down. */
export function tallied(engine: Engine): Engine {
  stores.push(engine.store);
  return {
    ...metered(engine, verbs),
    events: (event) => void events.push(event),
    lanes: {
      ...engine.lanes,
      async send(lane, outgoing) {
        await engine.lanes.send(lane, outgoing);
        for (const { message } of outgoing) queue.written += units(message);
      },
    },
  };
}

/** The same batch, with deliveries and acknowledgements written down. */
export function talliedBatch(batch: MessageBatch): MessageBatch {
  const messages = batch.messages.map((message) => {
    queue.read += units(message.body);
    return {
      id: message.id,
      timestamp: message.timestamp,
      body: message.body,
      attempts: message.attempts,
      retry: (options?: QueueRetryOptions) => message.retry(options),
      ack() {
        queue.deleted += units(message.body);
        message.ack();
      },
    };
  });
  return { queue: batch.queue, metadata: batch.metadata, messages, ackAll() {}, retryAll() {} };
}

export function tally(): Tally {
  const used = stores.reduce((sum, store) => add(sum, store.used), none());
  const known = Object.values(verbs).reduce((sum, verb) => add(sum, verb), none());
  return { used, verbs: { ...verbs, other: minus(used, known) }, queue, events };
}

const units = (body: unknown) => Math.ceil(JSON.stringify(body).length / UNIT_BYTES);
