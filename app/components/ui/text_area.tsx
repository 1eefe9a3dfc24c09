import { type ComponentProps, useState } from "react";
import { useHydrated } from "../time/now";
import { TEXTAREA } from "./field";

/**
 * A field of several lines that keeps what was typed into it before the page's scripts ran, and what was marked. Without
 * `autocomplete="off"`: a browser forgets what stood in such a field when somebody comes back to it.
 */
export function TextArea({ id, className = "", ...rest }: ComponentProps<"textarea"> & { id: string }) {
  const hydrated = useHydrated();
  // While the server's markup still stands as it was left; one that the browser draws itself has nobody's text yet.
  useState(() => hydrated || keepWhenTakenOver(id));
  return <textarea id={id} spellCheck={false} className={`${TEXTAREA} ${className}`} {...rest} />;
}

/**
 * React, taking a textarea over, sets its first text again (`initTextarea` of react-dom: `defaultValue`, then `value`), which
 * it does to no other field. That happens somewhere in the middle of drawing the page, with room for keys before and
 * after: so what stands there is read as the first of the two is set, and put back before any other event can come.
 */
function keepWhenTakenOver(id: string): void {
  if (typeof document === "undefined") return;
  const field = document.getElementById(id);
  if (!(field instanceof HTMLTextAreaElement)) return;
  Object.defineProperty(field, "defaultValue", {
    configurable: true,
    set(text: string) {
      const { value, selectionStart, selectionEnd, selectionDirection } = field;
      Reflect.deleteProperty(field, "defaultValue");
      field.defaultValue = text;
      queueMicrotask(() => {
        field.value = value;
        field.setSelectionRange(selectionStart, selectionEnd, selectionDirection);
      });
    },
  });
}
