import type { Answer, Received, Reply } from "./receiver.ts";

/** What the other side does with its first, second … request; the last of a list goes on. */
export type Behaviour = (() => Reply | Promise<Reply>)[];

const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function* stalled(text: string): AsyncGenerator<string> {
  yield text.slice(0, 3);
  await new Promise<never>(() => {});
}

async function* slowly(text: string): AsyncGenerator<string> {
  for (const letter of text) {
    await later(100);
    yield letter;
  }
}

async function* cutOff(text: string): AsyncGenerator<string> {
  yield text.slice(0, 3);
  await later(50);
  throw new Error("cut off here");
}

/** Every kind of trouble there is, with `good` in the end where a retry can help. `origin`: of this receiver. */
export const troubles = (origin: string, good = "thanks"): Record<string, Behaviour> => {
  const fine = () => ({ body: good });
  return {
    fine: [fine],
    "lost-reply": [() => Promise.reject(new Error("taken, and the answer is lost")), fine],
    "later-seconds": [() => ({ status: 429, headers: { "Retry-After": "15" } }), fine],
    "later-date": [
      () => ({ status: 429, headers: { "Retry-After": new Date(Date.now() + 16_000).toUTCString() } }),
      fine,
    ],
    slow: [() => ({ body: slowly(good) })],
    "slow-body": [() => ({ body: stalled(good) }), fine],
    reset: [() => ({ reset: true }), fine],
    "cut-off": [() => ({ body: cutOff(good) }), fine],
    "down-once": [() => ({ status: 500, body: "busy" }), fine],
    loop: [() => ({ status: 302, headers: { Location: `${origin}/loop` } })],
    moved: [() => ({ status: 307, headers: { Location: `${origin}/elsewhere` } })],
    gone: [() => ({ status: 410, body: "no more" })],
  };
};

/** How often each trouble is met by whom the table of answers holds for. */
export const TIMES: Record<string, number> = {
  ...{ fine: 1, "lost-reply": 2, "later-seconds": 2, "later-date": 2, slow: 1, "slow-body": 2, reset: 2 },
  ...{ "cut-off": 2, "down-once": 2, loop: 1, moved: 1, gone: 1 },
};
export const HOPELESS = ["loop", "moved", "gone"];

/** Answers each request by the name that `nameOf` finds in it. */
export const answering =
  (behaviours: Record<string, Behaviour>, nameOf: (request: Received) => string): Answer =>
  (request, earlier) => {
    const name = nameOf(request);
    const list = behaviours[name] ?? [() => ({ status: 418 })];
    const nth = earlier.filter((one) => nameOf(one) === name).length;
    return (list[Math.min(nth, list.length - 1)] as Behaviour[0])();
  };
