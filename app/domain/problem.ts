import type { Problem, Rejection } from "./submission";

export const PROBLEM_TYPE = "application/problem+json";

/** RFC 9457. `code` is for programs, `detail` and `errors` for people: where, what, and what would be right. */
export type ProblemDocument = {
  type: "about:blank";
  title: string;
  status: number;
  detail: string;
  code: string;
  errors: Problem[];
  [extension: string]: unknown;
};

/** With the type `about:blank` the title is the status's own phrase: what went wrong is in `code`. */
const TITLES = {
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  409: "Conflict",
  413: "Content Too Large",
  415: "Unsupported Media Type",
  429: "Too Many Requests",
  500: "Internal Server Error",
  503: "Service Unavailable",
} as const;
export type ProblemStatus = keyof typeof TITLES;

export const problem = (
  status: ProblemStatus,
  code: string,
  detail: string,
  more: { errors?: Problem[]; [extension: string]: unknown } = {},
): ProblemDocument => ({ type: "about:blank", title: TITLES[status], status, detail, code, errors: [], ...more });

/** A call of 8 MB can be wrong in a million places: nobody reads more than these. */
const ERRORS_SHOWN = 100;

/** Input that was refused: the first error is the detail, so that one line in a log says enough. */
export function problemOf(rejection: Rejection): ProblemDocument {
  const [first, ...rest] = rejection.problems;
  const where = first?.path ? `${first.path}: ` : "";
  const more = rest.length > 0 ? ` (and ${rest.length} more)` : "";
  const detail = `${where}${first?.message ?? "the input was refused"}${more}`;
  return problem(rejection.status, rejection.code, detail, { errors: rejection.problems.slice(0, ERRORS_SHOWN) });
}
