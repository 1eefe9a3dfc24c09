/**
 * What an HTTP answer means for the attempt. The table is the documentation: the README quotes it.
 * 2xx success · 408, 425, 429, 5xx retried · every other answer permanent (redirects are not followed) ·
 * no answer at all (refused, reset, timeout, unknown name) retried.
 */
export function meaningOf(status: number): "success" | "retry" | "permanent" {
  if (status >= 200 && status < 300) return "success";
  if (status === 408 || status === 425 || status === 429 || status >= 500) return "retry";
  return "permanent";
}

const HTTP_DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/;

/** A `Retry-After` value (RFC 9110, 10.2.3) as ms from `nowMs`; null when it is absent, past or no such value. */
export function retryAfter(value: string | null, nowMs: number): number | null {
  if (value === null) return null;
  const text = value.trim();
  const ms = /^\d{1,9}$/.test(text)
    ? Number(text) * 1000
    : HTTP_DATE.test(text)
      ? Date.parse(text) - nowMs
      : Number.NaN;
  return ms > 0 ? ms : null;
}
