import { BULK_KIND } from "../bulk/bulk";
import type { JobDetail } from "../feeds";

/** What a job works for, where its payload says so: a bulk operation, or a watch. */
export type WorksFor = { operation: string } | { watch: string };

export function worksForOf({ kind, payload }: JobDetail): WorksFor | null {
  const { operationId, watch } = (payload ?? {}) as { operationId?: unknown; watch?: unknown };
  if (kind === BULK_KIND && typeof operationId === "string") return { operation: operationId };
  return kind === "watch_page" && typeof watch === "string" ? { watch } : null;
}
