import { expect, test } from "vitest";
import { type NoticeCode, noticeCookie, noticeOf, readNotice } from "./notices";

const jobId = "019ae0c2-0000-7000-8000-0000a91c3f20";
const textOf = (notice: NoticeCode) => noticeOf(notice).text;
const valueIn = (cookie: string) => (cookie.split(";")[0] as string).slice("notice=".length);

test("a requeue says what came of it", () => {
  expect(textOf({ code: "requeued", jobId, generation: 2 })).toBe("Requeued as generation 2.");
  expect(textOf({ code: "requeue-refused", jobId, state: "pending", generation: 2 })).toBe(
    "Already pending, nothing changed.",
  );
  expect(textOf({ code: "requeue-refused", jobId, state: "dead", generation: 3 })).toBe(
    "Requeued by somebody else, now dead as generation 3, nothing changed.",
  );
});

test("a notice comes back from its cookie", () => {
  const notice: NoticeCode = { code: "requeue-refused", jobId, state: "processing", generation: 2 };
  expect(readNotice(valueIn(noticeCookie(notice)))).toEqual(notice);
});

test("a cookie that we did not write says nothing", () => {
  for (const bad of [
    null,
    "",
    "x",
    "%",
    encodeURIComponent('{"code":"hello","jobId":"a"}'),
    encodeURIComponent('{"code":"cancelled","jobId":"<b>"}'),
  ]) {
    expect(readNotice(bad)).toBeNull();
  }
});
