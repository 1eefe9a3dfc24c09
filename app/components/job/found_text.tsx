import { type ReactNode, useEffect, useRef } from "react";
import { MARKS_SHOWN, matchesOf } from "~/domain/job/matches";

/** Text with what was looked for marked; the one that is gone to stands out and scrolls into view. */
export function FoundText({ text, find, at }: { text: string; find: string; at: number }) {
  const mark = useRef<HTMLElement>(null);
  const starts = matchesOf(text, find);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another place was gone to
  useEffect(() => void mark.current?.scrollIntoView({ block: "nearest" }), [at, find]);
  const parts: ReactNode[] = [];
  let done = 0;
  starts.slice(0, MARKS_SHOWN).forEach((start, n) => {
    const end = start + find.length;
    const here = n === at;
    parts.push(
      text.slice(done, start),
      <mark
        key={start}
        ref={here ? mark : undefined}
        className={here ? "bg-kumo-warning text-kumo-strong" : "bg-kumo-warning-tint text-kumo-default"}
      >
        {text.slice(start, end)}
      </mark>,
    );
    done = end;
  });
  return (
    <>
      {parts}
      {text.slice(done)}
    </>
  );
}
