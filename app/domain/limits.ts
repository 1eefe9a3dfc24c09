/** Every limit a caller can meet. Errors name them; the API document and the README quote them. Bytes are UTF-8. */
export const PAYLOAD_BYTES = 262_144;
export const CALL_BYTES = 8_000_000;
export const CALL_JOBS = 1_000;
/** Jobs named one by one in a bulk call. For more there is the filter. */
export const BULK_IDS = 1_000;
export const BULK_BYTES = 200_000;
export const NESTING_LEVELS = 100;
export const MAX_ATTEMPTS = 1_000;
export const IDEMPOTENCY_KEY_CHARS = 256;
export const GROUP_KEY_CHARS = 256;
export const DELAY_MS = 366 * 86_400_000;
export const PAGE_SIZE = 25;
export const PAGE_SIZE_MAX = 100;
/** Rows a filtered page looks at before it answers with what it found and a cursor to go on from. */
export const SCAN_ROWS = 5_000;

export const RESULT_BYTES = 65_536;
export const ERROR_BYTES = 16_384;
export const LOG_BYTES = 16_384;

/** Messages of ours a lane holds; further jobs wait unsent in D1. The local queue throws at its 10,001st timer. */
export const LANE_MESSAGES = 5_000;
/** No message lives longer: a job due later waits in D1. */
export const SEND_AHEAD_MS = 300_000;
export const TIMEOUT_MS = 780_000;
/** Kinds with a longer timeout run in the lane `long`, one a batch. */
export const SHORT_TIMEOUT_MS = 30_000;
export const RETRY_AFTER_MS = 86_400_000;
/** Payloads up to this size come with the claim; larger ones are read at start. */
export const CLAIM_PAYLOAD_BYTES = 16_384;
/** Why a person did something: kept in the audit. */
export const REASON_CHARS = 500;
export const ACTION_BYTES = 10_000;
/** A form of a page without a payload: a thousand ids, or twenty headers of 8 KB, whose every byte may take three. */
export const PAGE_FORM_BYTES = 1_000_000;
