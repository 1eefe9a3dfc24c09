import { type Cells, D1_FAULTS, OTHER_FAULTS, SEND_FAULTS } from "./faults.ts";
import { D1_SITES, SEND_SITES } from "./sites.ts";

/** Each pair is to be met so often. */
const ENOUGH = 20;

/** Totals, and how often each await site met each fault. */
export function table(cells: Cells, seeds: number): string {
  const lines = ["totals"];
  for (const fault of new Set<string>([...D1_FAULTS, ...SEND_FAULTS])) {
    lines.push(`  ${fault.padEnd(28)} ${sum(Object.entries(cells).map(([, row]) => row[fault] ?? 0))}`);
  }
  for (const fault of OTHER_FAULTS) lines.push(`  ${fault.padEnd(28)} ${cells.other?.[fault] ?? 0}`);
  lines.push(
    "",
    ...rows(
      cells,
      seeds,
      "calls of D1",
      Object.keys(cells).filter((site) => site !== "other" && !isSend(site)),
      D1_FAULTS,
    ),
  );
  lines.push("", ...rows(cells, seeds, "sends", Object.keys(cells).filter(isSend), SEND_FAULTS));
  return lines.join("\n");
}

/** With how often a seed comes there: what `sites.ts` should say. */
function rows(cells: Cells, seeds: number, title: string, sites: string[], faults: readonly string[]): string[] {
  const head = `${title.padEnd(26)}${"a seed".padStart(9)}${"unhurt".padStart(9)}${faults.map((fault) => fault.padStart(15)).join("")}`;
  const body = sites.toSorted().map((site) => {
    const row = cells[site] ?? {};
    const numbers = faults.map((fault) => String(row[fault] ?? 0).padStart(15)).join("");
    const aSeed = (sum(Object.values(row)) / seeds).toFixed(1);
    return `${site.padEnd(26)}${aSeed.padStart(9)}${String(row.none ?? 0).padStart(9)}${numbers}`;
  });
  return [head, ...body];
}

/** Pairs that were met too seldom, and faults of no call that were. */
export function gaps(cells: Cells): string[] {
  const seldom = (sites: string[], faults: readonly string[]) =>
    sites.flatMap((site) =>
      faults.flatMap((fault) => {
        const n = cells[site]?.[fault] ?? 0;
        return n < ENOUGH ? [`${site} × ${fault}: ${n}`] : [];
      }),
    );
  return [
    ...seldom(Object.keys(D1_SITES), D1_FAULTS),
    ...seldom(Object.keys(SEND_SITES), SEND_FAULTS),
    ...seldom(["other"], OTHER_FAULTS),
  ];
}

const isSend = (site: string) => site.startsWith("send by ");
const sum = (numbers: number[]) => numbers.reduce((a, b) => a + b, 0);
