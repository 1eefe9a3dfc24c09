import type { ReactNode } from "react";

/** Text in its own lines, that scrolls where it is too long. Text is text: nothing in it is markup. */
export const ScrollText = (props: { label: string; wrap?: boolean; className?: string; children: ReactNode }) => (
  <section
    aria-label={props.label}
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    tabIndex={0}
    className={`overflow-auto font-mono text-kumo-default focus-visible:-outline-offset-2 ${props.className ?? ""}`}
  >
    <pre className={`font-mono ${props.wrap ? "whitespace-pre-wrap wrap-anywhere" : "w-max min-w-full"}`}>
      {props.children}
    </pre>
  </section>
);
