/**
 * What a Worker that is bound to `Jobs` calls, for its own `Env`. Imports nothing: copy it, or import it as a type.
 * What is refused is answered, never thrown: `problem` is the very document of the HTTP API.
 */
export interface JobsService {
  submit(job: NewJob): Promise<Answer<{ id: string; state?: State; replayed?: true }>>;
  submit(jobs: NewJob[]): Promise<Answer<{ ids: string[]; replays?: { id: string; state: State; replayed: true }[] }>>;
  job(id: string): Promise<Answer<{ job: StoredJob }>>;
  /** Needs `may = "operate"`. One that runs is asked to stop, and ends cancelled unless it is done before. */
  cancel(id: string, reason?: string): Promise<Answer<{ id: string; state: State; cancelRequested: boolean }>>;
  /** Needs `may = "operate"`. With a generation, a job that somebody requeued meanwhile is left alone. */
  requeue(
    id: string,
    generation?: number,
    reason?: string,
  ): Promise<Answer<{ id: string; state: State; generation: number }>>;
}

/** `props` of the binding. `name` stands for it in the audit and in the list of submitters. */
export type BindingProps = {
  name: string;
  /** `submit`, where nothing is said: submits and reads. `operate` also cancels and requeues. */
  may?: "submit" | "operate";
};

export type Answer<T> = ({ ok: true } & T) | { ok: false; problem: Problem };

export type State = "pending" | "processing" | "done" | "dead" | "cancelled";

export type NewJob = {
  kind: string;
  /** What JSON can tell; a `Date` becomes its text. */
  payload: unknown;
  idempotencyKey?: string;
  delaySeconds?: number;
  runAt?: string | Date;
  expiresAt?: string | Date;
  groupKey?: string;
  priority?: "normal" | "high";
  maxAttempts?: number;
};

/** RFC 9457. `code` is for programs, `detail` and `errors` are for people. */
export type Problem = {
  type: "about:blank";
  title: string;
  status: number;
  detail: string;
  code: string;
  errors: { path: string; message: string; limit?: number }[];
  [extension: string]: unknown;
};

/** What most ask of a job; the HTTP API's document says what else there is. */
export type StoredJob = {
  id: string;
  kind: string;
  state: State;
  label: string | null;
  payload: unknown;
  result: unknown;
  progress: string | null;
  lastError: string | null;
  cause: string | null;
  attempt: number;
  tries: number;
  maxAttempts: number;
  generation: number;
  createdAt: string;
  runAt: string;
  finishedAt: string | null;
  attempts: { number: number; outcome: string; error: string | null; startedAt: string; finishedAt: string }[];
};
