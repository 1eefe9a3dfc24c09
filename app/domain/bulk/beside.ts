import type { Stats } from "../feeds";
import { count, plural } from "../format";
import type { View } from "../states";
import { BULK_KIND, type BulkAction, type BulkFilter } from "./bulk";

type Numbers = Pick<Stats, "kinds" | "held">;
type Asked = { action: BulkAction; filter: BulkFilter | null; parts: { label: string }[] };
/** What is said beside a question: `warning` where not everything will be as somebody may expect. */
export type Beside = { tone: "subtle" | "warning"; text: string };

/** Jobs of operations that a list counts, and that nobody means who means all of it. */
export function ownJobs({ view, kind, cause, q }: BulkFilter, kinds: Numbers["kinds"]): number {
  if (kind !== undefined || cause !== undefined || q !== undefined) return 0;
  return kinds.find((one) => one.kind === BULK_KIND)?.counts[view] ?? 0;
}

export const ownText = (n: number): string =>
  n === 1 ? "1 operation's own job is left alone" : `${count(n)} operations' own jobs are left alone`;

/** How many due jobs of a kind wait, by its numbers: with a paused kind that is how many it holds. */
export const heldOf = (counts: Record<View, number>): number => counts.pending + counts.retrying;

export function besideOf(asked: Asked, { kinds, held }: Numbers): Beside[] {
  const own = asked.filter ? ownJobs(asked.filter, kinds) : 0;
  const waits = asked.action === "requeue" ? held.filter(({ kind }) => mayTouch(asked, kind)) : [];
  return [
    ...(own > 0 ? [{ tone: "subtle" as const, text: `${ownText(own)}.` }] : []),
    ...waits.flatMap(({ kind, by, who }) => {
      if (by !== "paused" && by !== "unknown-kind") return [];
      const counts = kinds.find((one) => one.kind === kind)?.counts;
      const already = counts ? heldOf(counts) : 0;
      const why =
        by === "paused" ? `${kind} is paused${who ? ` by ${who}` : ""}` : `This release does not know ${kind}`;
      const until = by === "paused" ? "it is resumed" : "one does";
      const n = already > 0 ? `${plural(already, "job")} of it held already, and ` : "";
      return [{ tone: "warning" as const, text: `${why}: ${n}what is requeued of it waits until ${until}.` }];
    }),
  ];
}

/** Where nobody knows of which kinds they are, any may be among them. */
function mayTouch({ filter, parts }: Asked, kind: string): boolean {
  if (filter?.kind !== undefined) return filter.kind === kind;
  // A cause begins with the kind of its jobs.
  if (filter?.cause !== undefined) return filter.cause.startsWith(`${kind}: `);
  return parts.length === 0 || parts.some(({ label }) => label === kind);
}
