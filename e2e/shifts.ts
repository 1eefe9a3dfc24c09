import type { Page } from "@playwright/test";

/** One movement that nobody asked for: how much of the screen it took, and what moved. */
export type Shift = { value: number; moved: string[] };

/** Takes down what moves by itself on every page that is opened here from now on. Gives what did on the page that is open. */
export async function watchShifts(page: Page): Promise<() => Promise<Shift[]>> {
  await page.addInitScript(() => {
    const shifts: Shift[] = [];
    Object.assign(window, { shifts });
    type Entry = PerformanceEntry & { value: number; hadRecentInput: boolean; sources: { node: Node | null }[] };
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput, sources } of list.getEntries() as Entry[]) {
        if (hadRecentInput) continue;
        const moved = sources.map(
          ({ node }) => (node as Element | null)?.outerHTML?.slice(0, 160) ?? node?.textContent,
        );
        shifts.push({ value, moved: moved.map((text) => text ?? "what is gone by now") });
      }
    }).observe({ type: "layout-shift", buffered: true });
  });
  return () =>
    page.evaluate(async () => {
      // What was painted last is told with the frame after it.
      await new Promise((told) => requestAnimationFrame(() => requestAnimationFrame(told)));
      return (window as unknown as { shifts: Shift[] }).shifts;
    });
}
