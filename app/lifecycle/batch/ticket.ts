import { type Message as Body, parseMessage } from "~/domain/message";

/** A queue message in hand, understood. */
export type Ticket = { message: Body; raw: Message };

/** The messages of one batch: which are still unanswered, and of which job each is. One ticket for each job. */
export class Tickets {
  private readonly open = new Map<string, Ticket>();
  private readonly unreadable: Message[] = [];

  constructor(batch: MessageBatch) {
    for (const raw of batch.messages) {
      const message = parseMessage(raw.body);
      const twin = message && this.open.get(message.jobId);
      if (!message) this.unreadable.push(raw);
      else if (!twin) this.open.set(message.jobId, { message, raw });
      // Of two messages for one job only the later attempt can still be wanted.
      else if (twin.message.attempt >= message.attempt) raw.ack();
      else {
        twin.raw.ack();
        this.open.set(message.jobId, { message, raw });
      }
    }
  }

  all = (): Ticket[] => [...this.open.values()];

  /** The one that asks for this attempt: one that was started in a place that was left has none. */
  of({ id, attempt }: { id: string; attempt: number }): Ticket | undefined {
    const ticket = this.open.get(id);
    return ticket?.message.attempt === attempt ? ticket : undefined;
  }

  done(ticket: Ticket): void {
    ticket.raw.ack();
    this.open.delete(ticket.message.jobId);
  }

  /** Bodies that are no message of ours; the job they may have meant still waits in D1. */
  takeUnreadable = (): Message[] => this.unreadable.splice(0);
}
