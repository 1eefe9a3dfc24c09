import { useBulk } from "~/components/bulk/use_bulk";
import { besideOf } from "~/domain/bulk/beside";
import { useStats } from "./stats";

/** Many jobs at once, with what the numbers of the frame have to say of it beside the question. */
export function useAsking(onStarted?: (operation: string) => void): ReturnType<typeof useBulk> {
  const stats = useStats()?.body;
  return useBulk((question) => (stats ? besideOf(question, stats) : []), onStarted);
}
