import { useState } from "react";
import type { JobPage } from "~/domain/feeds";

/**
 * The rows on screen. While somebody points at them they stay as they are, whatever was read meanwhile: a row that leaves
 * must not put the next one's button under a finger. Another list (`key`) is shown at once.
 */
export function useHeldPage(read: JobPage, key: string) {
  const [held, setHeld] = useState(false);
  const [shown, setShown] = useState({ read, key });
  const keep = held && shown.key === key;
  if (!keep && (shown.read !== read || shown.key !== key)) setShown({ read, key });
  return {
    page: keep ? shown.read : read,
    held,
    hold: {
      onPointerEnter: () => setHeld(true),
      onPointerLeave: () => setHeld(false),
      onFocus: () => setHeld(true),
      onBlur: () => setHeld(false),
    },
  };
}
