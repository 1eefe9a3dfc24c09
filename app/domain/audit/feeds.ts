import type { AuditRow } from "../feeds";

/** One thing that somebody did, as it is kept. */
export type ActivityRow = AuditRow & {
  scheduleId: string | null;
  /** What it was done to, where that is neither a job nor a schedule: an id, or the name of a kind or submitter. */
  object: string | null;
  /** What that is called now; null: it is stored no more, or has no name. */
  name: string | null;
};

export type ActivityPage = {
  revision: number;
  now: string;
  deeds: ActivityRow[];
  next: string | null;
  /** So many were looked at for it, and there may be more behind `next`; null: the page is full, or the end is reached. */
  scanned: number | null;
};
