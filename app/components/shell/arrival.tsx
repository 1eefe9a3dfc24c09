import { useEffect, useRef, useState } from "react";
import { useLocation } from "react-router";
import { toFilter, toRow } from "../keys/page";

/** What a link asks for at the place it leads to. */
export type Arriving = { focus?: "filter"; job?: string; scrollKey?: string };

/**
 * After a navigation: says where one is, and puts the focus somewhere, where what had it is gone with the page before. To
 * whoever reloads, the browser itself says so.
 */
export function Arrival() {
  const { pathname, state } = useLocation() as { pathname: string; state: Arriving | null };
  const before = useRef(pathname);
  const [said, setSaid] = useState("");
  useEffect(() => {
    if (before.current === pathname) return;
    before.current = pathname;
    setSaid(document.title);
    if (state?.focus === "filter" && toFilter()) return;
    if (state?.job && toRow(state.job)) return;
    const lost = document.activeElement === null || document.activeElement === document.body;
    if (lost) document.getElementById("main")?.focus({ preventScroll: true });
  }, [pathname, state]);
  return (
    <p aria-live="polite" className="sr-only">
      {said}
    </p>
  );
}
