import { useQuery } from "@tanstack/react-query";
import { countAll } from "~/components/bulk/count_all";
import type { Question } from "~/components/bulk/question";
import { BULK_KIND, type BulkFilter, isKept, killsOperations } from "~/domain/bulk/bulk";
import type { View } from "~/domain/states";
import { useStats } from "./stats";

/**
 * How many jobs match, exactly, and of which kinds: from the numbers of the frame, or asked for where they do not tell. Null:
 * not known yet, or none is kept of these.
 */
export function useMatching(asking: BulkFilter | null): { matching: number | null; parts: Question["parts"] } {
  const filter = asking && isKept(asking) ? asking : null;
  const stats = useStats()?.body;
  const known = filter && stats ? knownOf(filter, stats) : null;
  const asked = useQuery({
    queryKey: ["matching", filter, stats?.revision],
    queryFn: async ({ signal }) => {
      const answer = await countAll(filter as BulkFilter, signal);
      if ("why" in answer) throw new Error(answer.why);
      return answer.n;
    },
    enabled: filter !== null && stats !== undefined && known === null,
    placeholderData: (before) => before,
    retry: false,
  });
  if (!filter || !stats) return { matching: null, parts: [] };
  const { view, kind, cause } = filter;
  const parts = kind !== undefined || cause !== undefined ? [] : partsIn(view, stats.kinds);
  return { matching: known ?? asked.data ?? null, parts };
}

/** Of which kinds the jobs of a view are, most first, but for those of operations. */
export const partsIn = (view: View, kinds: Known["kinds"]): Question["parts"] =>
  kinds
    .map(({ kind, counts }) => ({ label: kind, n: counts[view] }))
    .filter(({ label, n }) => n > 0 && label !== BULK_KIND)
    .sort((a, b) => b.n - a.n);

type Known = NonNullable<ReturnType<typeof useStats>>["body"];

/** Jobs of operations are meant by their kind alone. Causes beyond the most frequent ones are not among the numbers. */
function knownOf({ view, kind, cause }: BulkFilter, { counts, kinds, causes }: Known): number | null {
  if (cause !== undefined) return killsOperations(cause) ? 0 : (causes.find((one) => one.cause === cause)?.n ?? null);
  const of = (name: string) => kinds.find((one) => one.kind === name)?.counts[view] ?? 0;
  return kind === undefined ? counts[view] - of(BULK_KIND) : of(kind);
}
