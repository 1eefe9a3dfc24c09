import type { MouseEvent } from "react";
import { useNavigate } from "react-router";

/**
 * What a plain link does when it is clicked within the element that this listens to, as a `Link` would: for tables with hundreds
 * of links, where a component for each is most of what it takes to draw them.
 */
export function useFollow(): (event: MouseEvent) => void {
  const navigate = useNavigate();
  return (event) => {
    const link = (event.target as Element).closest("a");
    const elsewhere = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
    if (!link || event.defaultPrevented || event.button !== 0 || elsewhere) return;
    event.preventDefault();
    void navigate(link.pathname + link.search);
  };
}
