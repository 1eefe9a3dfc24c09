import type { Page } from "@playwright/test";

/** One movement that nobody asked for: how much of the screen it took, and what moved. */
export type Shift = { value: number; moved: string[] };

/**
 * Takes down what moves by itself on every page that is opened here from now on. Gives what did on the page that is
 * open. To be asked for before `page.clock.install()`: that one's frames come by a timer, whether anything was painted
 * or not, and a movement is told by the frame that paints it.
 */
export async function watchShifts(page: Page): Promise<() => Promise<Shift[]>> {
  await page.addInitScript(() => {
    type Entry = PerformanceEntry & { value: number; hadRecentInput: boolean; sources: { node: Node | null }[] };
    const frame = window.requestAnimationFrame.bind(window);
    const shifts: Shift[] = [];
    const take = (entries: PerformanceEntryList) => {
      for (const { value, hadRecentInput, sources } of entries as Entry[]) {
        if (hadRecentInput) continue;
        const moved = sources.map(
          ({ node }) => (node as Element | null)?.outerHTML?.slice(0, 160) ?? node?.textContent,
        );
        shifts.push({ value, moved: moved.map((text) => text ?? "what is gone by now") });
      }
    };
    const observer = new PerformanceObserver((list) => take(list.getEntries()));
    observer.observe({ type: "layout-shift", buffered: true });
    const painted: ShiftsPainted = async () => {
      // The first of these comes before what has changed is painted, the second after it.
      await new Promise((done) => frame(() => frame(done)));
      take(observer.takeRecords());
      return shifts;
    };
    Object.assign(window, { shiftsPainted: painted });
  });
  return () => page.evaluate(() => (window as unknown as { shiftsPainted: ShiftsPainted }).shiftsPainted());
}

type ShiftsPainted = () => Promise<Shift[]>;
