import { type ComponentProps, useLayoutEffect, useRef, useState } from "react";
import { useHydrated } from "../time/now";
import { TEXTAREA } from "./field";

/**
 * A field of several lines that keeps what was typed into it before the page's scripts ran, and where the cursor stood: React,
 * taking a textarea over, sets its first text again (`initTextarea` of react-dom), which it does to no other field. Without
 * `autocomplete="off"`: a browser forgets what stood in such a field when somebody comes back to it.
 */
export function TextArea({ id, className = "", ...rest }: ComponentProps<"textarea"> & { id: string }) {
  const field = useRef<HTMLTextAreaElement>(null);
  const hydrated = useHydrated();
  // Read while the server's markup still stands as it was left; one that the browser draws itself has nobody's text yet.
  const [typed] = useState(() => (hydrated ? undefined : stateOf(id)));
  useLayoutEffect(() => {
    if (!field.current || !typed) return;
    field.current.value = typed.value;
    field.current.setSelectionRange(typed.start, typed.end);
  }, [typed]);
  return <textarea ref={field} id={id} spellCheck={false} className={`${TEXTAREA} ${className}`} {...rest} />;
}

function stateOf(id: string): { value: string; start: number; end: number } | undefined {
  if (typeof document === "undefined") return;
  const field = document.getElementById(id);
  if (!(field instanceof HTMLTextAreaElement)) return;
  return { value: field.value, start: field.selectionStart, end: field.selectionEnd };
}
