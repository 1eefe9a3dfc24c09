import { bulkCountAddress } from "~/domain/addresses";
import type { BulkFilter } from "~/domain/bulk/bulk";

/** Has the server count what this page has no number of: the filter as it was counted, its times as moments; or why not. */
export async function countAll(
  filter: BulkFilter,
  signal?: AbortSignal,
): Promise<{ filter: BulkFilter; n: number } | { why: string }> {
  try {
    const response = await fetch(bulkCountAddress(filter), { signal });
    const body = (await response.json()) as { count: number; filter: BulkFilter; detail?: string };
    if (response.ok) return { filter: body.filter, n: body.count };
    return { why: body.detail ?? `the server answered ${response.status}` };
  } catch {
    return { why: "the server did not answer" };
  }
}
