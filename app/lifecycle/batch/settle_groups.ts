import { byteLength } from "~/domain/text";
import { encodeSettlement, type Settlement } from "~/store/settles";
import { PARAMETER_BYTES, type Statement } from "~/store/store";

/** Statements of kinds that one settle carries: the batch has 30 s and counts against the invocation's budget. */
const GROUP_WRITES = 50;
/** As many as a sweep finds lost at once. */
const GROUP_MEMBERS = 500;

/** Groups small enough for one parameter each; halved in number as often as D1 was overloaded of late (`strain`). */
export function groupsOf<T extends { settlement: Settlement; one: { writes: Statement[] } }>(
  members: T[],
  strain: number,
): T[][] {
  const most = GROUP_MEMBERS >> strain;
  const groups: T[][] = [];
  let size = Number.POSITIVE_INFINITY;
  let writes = 0;
  for (const member of members) {
    const bytes = byteLength(encodeSettlement(member.settlement)) + 1;
    writes += member.one.writes.length;
    if (size + bytes > PARAMETER_BYTES - 2 || writes > GROUP_WRITES || groups.at(-1)?.length === most) {
      groups.push([]);
      size = 0;
      writes = member.one.writes.length;
    }
    groups.at(-1)?.push(member);
    size += bytes;
  }
  return groups;
}
