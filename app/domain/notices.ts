import { type BulkNotice, bulkNoticeOf, isBulkNotice, readBulkNotice } from "./bulk/notices";
import { count } from "./format";
import { STATE_NAMES, type State } from "./states";

/** What an action did, told by what its write returned. Travels as a short code: no text of a stranger's link is shown. */
export type NoticeCode =
  | BulkNotice
  | { code: "no-answer"; jobId: string | null }
  | { code: "requeued"; jobId: string; generation: number }
  | { code: "requeue-refused"; jobId: string; state: State; generation: number }
  | {
      code: "cancelled" | "cancel-requested" | "unknown-job" | "submitted" | "submitted-before" | "key-used-before";
      jobId: string;
    }
  | { code: "resent" | "resend-refused" | "ran-now" | "ran-before" | "run-busy"; jobId: string }
  | { code: "run-refused" | "check-under-way"; jobId: null }
  | { code: "letter-replayed"; jobId: string }
  | {
      code: "letter-refused" | "letter-unknown" | "replaying-on" | "replaying-off" | "replaying-refused";
      jobId: null;
    }
  | { code: "cancel-refused"; jobId: string; state: State }
  | { code: "unreachable"; jobId: string | null };

export type Notice = {
  tone: "success" | "info" | "warning" | "danger";
  text: string;
  /** The job to look at, if there is one. */
  jobId: string | null;
  /** The bulk operation to look at, if there is one. */
  operation?: string;
};

export function noticeOf(notice: NoticeCode): Notice {
  if (isBulkNotice(notice)) return bulkNoticeOf(notice);
  const { jobId } = notice;
  switch (notice.code) {
    case "no-answer":
      return {
        tone: "danger",
        text: "The server did not answer. It may have been done: look, or press again, which is safe.",
        jobId,
      };
    case "requeued":
      return { tone: "success", text: `Requeued as generation ${count(notice.generation)}.`, jobId };
    case "requeue-refused":
      return { tone: "warning", text: `${already(notice.state, notice.generation)}, nothing changed.`, jobId };
    case "cancelled":
      return { tone: "success", text: "Cancelled.", jobId };
    case "cancel-requested":
      return { tone: "success", text: "Cancel requested: the running attempt stops at its next heartbeat.", jobId };
    case "cancel-refused":
      return { tone: "warning", text: `Already ${notice.state}, nothing changed.`, jobId };
    case "unknown-job":
      return { tone: "danger", text: "No such job is stored, nothing changed.", jobId };
    case "submitted":
      return { tone: "success", text: "Submitted.", jobId };
    case "submitted-before":
      return { tone: "info", text: "This form was submitted before: here is its job. No second one was made.", jobId };
    case "key-used-before":
      return {
        tone: "info",
        text: "This idempotency key has a job already: here it is. No second one was made.",
        jobId,
      };
    case "resent":
      return { tone: "success", text: "This job sends it again.", jobId };
    case "resend-refused":
      return {
        tone: "warning",
        text: "Not sent again: it is being retried by itself, or its event is stored no more.",
        jobId,
      };
    case "ran-now":
      return { tone: "success", text: "Here is its job.", jobId };
    case "ran-before":
      return { tone: "info", text: "This was pressed before: here is its job. No second one was made.", jobId };
    case "run-busy":
      return { tone: "warning", text: "A job of it is unfinished, and it has one at a time. None was made.", jobId };
    case "run-refused":
      return { tone: "danger", text: "Its kind or payload is not what this release takes: edit it.", jobId };
    case "check-under-way":
      return { tone: "info", text: "It is being checked already: there is one check at a time.", jobId };
    case "letter-replayed":
      return { tone: "success", text: "Its message is sent again: here is its job.", jobId };
    case "letter-refused":
      return { tone: "warning", text: "Not sent again: it stands otherwise by now, as its row says.", jobId };
    case "letter-unknown":
      return { tone: "danger", text: "No such letter is kept, nothing changed.", jobId };
    case "replaying-on":
      return { tone: "success", text: "Dead letters are sent again, and end no job.", jobId };
    case "replaying-off":
      return { tone: "success", text: "Dead letters end their jobs again.", jobId };
    case "replaying-refused":
      return { tone: "danger", text: "That is no time to send again for, nothing changed.", jobId };
    case "unreachable":
      return {
        tone: "danger",
        text: "The database did not answer. It may have been done: look, or press again, which is safe.",
        jobId,
      };
  }
}

/** Dead at a later generation than the one that was on screen: somebody else requeued it, and it died again. */
const already = (state: State, generation: number): string =>
  state === "dead" || state === "cancelled"
    ? `Requeued by somebody else, now ${state} as generation ${count(generation)}`
    : `Already ${state}`;

export const NOTICE_COOKIE = "notice";

/** For forms sent without a script: the page that follows shows it once. */
export const noticeCookie = (notice: NoticeCode): string =>
  `${NOTICE_COOKIE}=${encodeURIComponent(JSON.stringify(notice))}; Path=/; Max-Age=30; SameSite=Lax; HttpOnly`;
export const noNoticeCookie = `${NOTICE_COOKIE}=; Path=/; Max-Age=0; SameSite=Lax; HttpOnly`;

/** Null for what `noticeCookie` did not write. */
export function readNotice(text: string | null): NoticeCode | null {
  if (!text) return null;
  try {
    const value = JSON.parse(decodeURIComponent(text)) as Record<string, unknown>;
    if (isBulkNotice({ code: String(value.code) })) return readBulkNotice(value);
    const { code, jobId, state, generation } = value;
    if (jobId !== null && (typeof jobId !== "string" || !/^[\w-]{1,64}$/.test(jobId))) return null;
    const known = {
      code,
      jobId,
      ...(STATE_NAMES.includes(state as State) && { state }),
      ...(Number.isSafeInteger(generation) && { generation }),
    };
    return noticeOf(known as NoticeCode) ? (known as NoticeCode) : null;
  } catch {
    return null;
  }
}
