import { expect, test } from "vitest";
import { adviceFor } from "./advice";

test.each([
  ["answered 401: token expired (crm.example.com)", /key or token/],
  ["answered 404: no such tenant", /Nothing is at that address/],
  ["answered 422: currency is not supported", /edit and run/],
  ["the provider answered 429: too many requests from pool eu", /set a rate/],
  ["answered 503: connection refused by the upstream", /on the other side/],
  ["worker lost 3 times", /Worker ended/],
  ["worker lost: its lease ran out", /Worker ended/],
  ["timed out after 30000 ms", /longer than it may/],
  ["no answer within 10 s", /longer than it may/],
  ["expired before it was started", /waited for too long/],
  ["certificate of hooks.example.com has expired", /certificate/],
  ["name maps.example.com cannot be resolved", /No address/],
  ["http_request: internal error; reference = <id>", /No connection/],
])("%s: it is told what to do", (error, told) => expect(adviceFor(error)).toMatch(told));

test.each(["answered 302", "no answer to that", "this demo was told to fail 2 times", "the file is not UTF-8", ""])(
  "%s: nothing is made up",
  (error) => expect(adviceFor(error)).toBeNull(),
);
