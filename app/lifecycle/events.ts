/** One line an event, in JSON: this file owns the vocabulary that an operator greps for. */
export type Event =
  | {
      event: "attempt.failed" | "attempt.timed_out" | "attempt.lost";
      messageId: string | null;
      deliveries: number | null;
      jobId: string;
      attempt: number;
      kind: string;
      key: string | null;
      entity: string | null;
      ranMs: number;
      cause: string;
      next: string;
    }
  | {
      event: "job.buried" | "dead_letter.replayed" | "dead_letter.ignored";
      messageId: string;
      deliveries: number;
      jobId: string;
      attempt: number;
      kind: string;
      cause: string;
    }
  | {
      event: "dead_letter.lost";
      messageId: string;
      deliveries: number;
      queue: string;
      body: string;
      misfit: string | null;
      error: string;
    }
  | { event: "job.expired"; jobId: string; attempt: number; kind: string; cause: string }
  | { event: "message.unreadable"; messageId: string; deliveries: number; queue: string }
  | { event: "message.orphan"; messageId: string; deliveries: number; jobId: string; attempt: number; kind: string }
  | { event: "result.refused"; jobId: string; attempt: number; outcome: string }
  | { event: "send.failed"; lane: string; messages: number; error: string }
  | { event: "database.unreachable" | "files.unreachable"; step: string; error: string }
  | { event: "statement.slow"; ms: number; rowsRead: number; rowsWritten: number; statement: string }
  | { event: "request.failed"; method: string; path: string; error: string; stack: string | null }
  | { event: "access.refused"; actor: string; role: string; method: string; path: string }
  | { event: "schedule.failed"; scheduleId: string; name: string; error: string }
  | { event: "watch.failed"; watchId: string; name: string; error: string }
  | { event: "sweep.failed"; step: string; error: string };

export type Events = (event: Event) => void;

export const consoleEvents: Events = (event) => console.log(JSON.stringify(event));
