import { type RefObject, useEffect, useState } from "react";
import type { JobPage } from "~/domain/feeds";

/**
 * The rows on screen. While somebody points at them, or has the focus among them, they stay as they are, whatever was read
 * meanwhile: a row that leaves must not put the next one's button under a finger. Another list (`key`) is shown at once,
 * and so is the next that is read after somebody asked for it (`ask`).
 */
export function useHeldPage(area: RefObject<HTMLElement | null>, read: JobPage, key: string) {
  const held = useAttention(area);
  const [shown, setShown] = useState({ read, key });
  const [asked, setAsked] = useState<JobPage | null>(null);
  const keep = held && shown.key === key && asked !== read && asked !== shown.read;
  if (!keep && (shown.read !== read || shown.key !== key)) setShown({ read, key });
  return { page: keep ? shown.read : read, held, ask: () => setAsked(read) };
}

/**
 * Whether pointer or focus are inside. Asked of every event of the document, not of the area's own: an element that is
 * taken away under the pointer, or with the focus on it, never says that they have left.
 */
function useAttention(area: RefObject<HTMLElement | null>): boolean {
  const [pointed, setPointed] = useState(false);
  const [focused, setFocused] = useState(false);
  useEffect(() => {
    const inside = (target: EventTarget | null) => target instanceof Node && Boolean(area.current?.contains(target));
    const told = new AbortController();
    const on = (type: "pointerover" | "pointerout" | "focusin" | "focusout", set: (inside: boolean) => void) => {
      const goes = type.endsWith("out");
      const tell = (event: PointerEvent | FocusEvent) => set(inside(goes ? event.relatedTarget : event.target));
      document.addEventListener(type, tell, { signal: told.signal });
    };
    on("pointerover", setPointed);
    on("pointerout", setPointed);
    on("focusin", setFocused);
    on("focusout", setFocused);
    return () => told.abort();
  }, [area]);
  return pointed || focused;
}
