const SHOWN = 5;
/** What calls a kind's `run`, which itself is `Object.run`: from here on all stacks are the same. */
const ENGINE = /^(async )?(Shift\.perform|perform|run)(\$\d+)?( |$)/;
const NOT_OURS = /\b(node|cloudflare|internal):|<anonymous>|\(native\)|^(async )?Promise\.|^new Promise/;

/**
 * Of a stack, the frames of the work itself: those between the error and the engine, without what the runtime adds. Where
 * they lie on the machine that ran them is left out. None where the engine is not in the stack.
 */
export function ownFrames(stack: string): string[] {
  const frames = stack.split("\n").flatMap((line) => /^\s+at (.+)$/.exec(line)?.[1]?.trim() ?? []);
  const engine = frames.findIndex((frame) => ENGINE.test(frame));
  return frames
    .slice(0, Math.max(0, engine))
    .filter((frame) => !NOT_OURS.test(frame))
    .slice(0, SHOWN)
    .map((frame) => frame.replace(/(^|\(|async )[^\s()]*\/(?=[^\s()/]+\)?$)/, "$1"));
}
