import { type Message as Body, messageFor } from "~/domain/message";
import type { LaneMetrics, Outgoing } from "~/lifecycle/lanes";

type Stored = { id: string; body: unknown; sentAt: number; availableAt: number; deliveries: number };
type Answer = { ack: boolean; retryIn: number | null };

const RETRY_DELAY_MS = 60_000;
const MAX_RETRIES = 100;
let nextId = 1;

/** A queue as the platform keeps it: at least once, acks travel with the handler's result, a crash loses them. */
export class FakeQueue {
  messages: Stored[] = [];
  inFlight: Stored[] = [];
  /** Everything ever sent, in order. */
  sent: { body: Body; delayMs: number; at: number }[] = [];
  failSends: Error | null = null;
  metricsUnknown = false;

  constructor(
    readonly name: string,
    private readonly now: () => number,
    private readonly dead?: FakeQueue,
  ) {}

  send(outgoing: Outgoing[]): void {
    if (this.failSends) throw this.failSends;
    for (const { message, delayMs } of outgoing) {
      this.sent.push({ body: message, delayMs, at: this.now() });
      this.put(message, delayMs);
    }
  }

  /** Puts any body in, as another program or an older release might have. */
  put(body: unknown, delayMs = 0): void {
    const delay = Math.max(0, Math.ceil(delayMs / 1000)) * 1000;
    this.messages.push({
      id: `m${nextId++}`,
      body: JSON.parse(JSON.stringify(body)),
      sentAt: this.now(),
      availableAt: this.now() + delay,
      deliveries: 0,
    });
  }

  ask(jobId: string, attempt: number, kind: string): void {
    this.put(messageFor(jobId, attempt, kind));
  }

  available = (): Stored[] => this.messages.filter((message) => message.availableAt <= this.now());

  /** What a binding's metrics tell: delayed and in-flight messages are left out, the oldest is the head. */
  metrics(): LaneMetrics {
    if (this.metricsUnknown) return { messages: undefined, oldestAt: undefined };
    const waiting = this.available();
    return { messages: waiting.length, oldestAt: waiting[0]?.sentAt };
  }

  /** Takes up to `max` messages as one batch. `finish` applies the handler's answers, `crash` loses them. */
  take(max: number) {
    const taken = this.available().slice(0, max);
    this.messages = this.messages.filter((message) => !taken.includes(message));
    this.inFlight.push(...taken);
    const answers = new Map<Stored, Answer>(taken.map((message) => [message, { ack: false, retryIn: null }]));
    for (const message of taken) message.deliveries++;
    const batch = {
      queue: this.name,
      metadata: { metrics: { backlogCount: this.metrics().messages, oldestMessageTimestamp: this.metrics().oldestAt } },
      messages: taken.map((message) => ({
        id: message.id,
        timestamp: new Date(message.sentAt),
        body: message.body,
        attempts: message.deliveries,
        // The first answer wins, as on the platform.
        ack: () => {
          const answer = answers.get(message) as Answer;
          if (answer.retryIn === null) answer.ack = true;
        },
        retry: (options?: { delaySeconds?: number }) => {
          const answer = answers.get(message) as Answer;
          if (!answer.ack)
            answer.retryIn ??= options?.delaySeconds === undefined ? RETRY_DELAY_MS : options.delaySeconds * 1000;
        },
      })),
      ackAll() {},
      retryAll() {},
    } as unknown as MessageBatch;
    const close = (back: (answer: Answer) => number | null) => {
      this.inFlight = this.inFlight.filter((message) => !taken.includes(message));
      for (const [message, answer] of answers) {
        const delay = back(answer);
        if (delay === null) continue;
        if (message.deliveries > MAX_RETRIES)
          this.dead?.messages.push({ ...message, deliveries: 0, availableAt: this.now() });
        else this.messages.push({ ...message, availableAt: this.now() + delay });
      }
    };
    return {
      batch,
      answers,
      acked: () => [...answers.values()].filter((answer) => answer.ack).length,
      retried: () => [...answers.values()].filter((answer) => answer.retryIn !== null).length,
      /** A clean return acknowledges what was not answered. */
      finish: () => close((answer) => answer.retryIn),
      crash: () => close(() => RETRY_DELAY_MS),
    };
  }
}
