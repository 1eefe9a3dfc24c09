/**
 * `npm run simulate -- --seeds N [--from S] [--break NAME|all] [--theme NAME] [--trace] [--keep]`: the real lifecycle on the
 * real D1 of the local runtime, with faults by the dice. Each seed is a world of its own and replays exactly. Ends with
 * `violations 0`, or with exit status 1. `--break` cuts a guard out of the statements (`breaks.ts`): then each must be
 * caught; `--keep` writes the seeds that caught them into that file. `--theme`: of the seeds those about that alone.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { askedFor } from "./asked.ts";
import { BREAKS } from "./breaks.ts";
import { type Cells, merge } from "./faults.ts";
import { Pool } from "./pool.ts";
import { gaps, table } from "./report.ts";
import { themeOf } from "./theme.ts";

const CAUGHT_WITHIN = 500;
const JUDGED_FROM = 2_000;
const TOLD_EVERY = 100;

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "200" },
    from: { type: "string", default: "0" },
    break: { type: "string" },
    theme: { type: "string" },
    workers: { type: "string", default: "2" },
    trace: { type: "boolean", default: false },
    keep: { type: "boolean", default: false },
  },
});
const { seeds, from } = askedFor(values);
const pool = await Pool.start(Number(values.workers));
try {
  const failed = values.break === undefined ? await storms() : await teeth(values.break);
  process.exitCode = failed ? 1 : 0;
} finally {
  await pool.close();
}

async function storms(): Promise<boolean> {
  const cells: Cells = {};
  let [violations, commits, jobs, done] = [0, 0, 0, 0];
  const asked = numbered(from, seeds);
  if (asked.length === 0) throw new RangeError(`no seed from ${from} to ${from + seeds - 1} is about ${values.theme}`);
  for await (const result of pool.run(asked)) {
    merge(cells, result.cells);
    commits += result.commits;
    jobs += result.jobs;
    violations += result.violations.length;
    if (result.violations.length > 0) {
      console.log(`\nseed ${result.seed}: ${result.violations.join("\n  ")}`);
      console.log(
        values.trace ? result.trace.join("\n") : `again: npm run simulate -- --from ${result.seed} --seeds 1 --trace`,
      );
    }
    if (++done % TOLD_EVERY === 0) console.error(`${done} of ${asked.length} seeds, violations ${violations}`);
  }
  console.log(table(cells, done));
  const empty = gaps(cells);
  const judged = done >= JUDGED_FROM;
  if (!judged) console.log(`pairs are judged from ${JUDGED_FROM} seeds on`);
  else if (empty.length > 0) console.log(`pairs met too seldom:\n  ${empty.join("\n  ")}`);
  console.log(`${done} seeds from ${from}, ${jobs} jobs, ${commits} calls of D1`);
  console.log(`violations ${violations}`);
  return violations > 0 || (judged && empty.length > 0);
}

async function teeth(name: string): Promise<boolean> {
  const names = name === "all" ? Object.keys(BREAKS) : name.split(",");
  const caughtBy = new Map<string, number>();
  let missed = 0;
  for (const one of names) {
    const guard = BREAKS[one];
    if (!guard) throw new Error(`there is no guard "${one}": ${Object.keys(BREAKS).join(", ")}`);
    const found = new Set<string>();
    let caught = "not caught";
    for await (const { seed, violations, found: clauses } of pool.run(likely(guard.seed), one)) {
      for (const clause of clauses) found.add(clause);
      if (violations.length === 0) continue;
      caughtBy.set(one, seed);
      caught = `caught by seed ${seed}: ${violations[0]}`;
      break;
    }
    const lost = guard.cut.filter(([clause]) => !found.has(clause));
    if (lost.length > 0 || caught === "not caught") missed++;
    for (const [clause] of lost) console.log(`${one}: no statement has the clause ${JSON.stringify(clause)}`);
    console.log(`${one}: ${caught}`);
  }
  if (values.keep) keep(caughtBy);
  console.log(`${names.length - missed} of ${names.length} guards caught`);
  return missed > 0;
}

/** So many seeds from the first on; of those of one theme, if one is asked for. */
function numbered(first: number, n: number): number[] {
  return Array.from({ length: n }, (_, i) => first + i).filter(
    (seed) => !values.theme || themeOf(seed) === values.theme,
  );
}

/** The seeds to look for a guard in: what caught it before comes first, then storms about the same, then all the others. */
function likely(before: number): number[] {
  const isLike = (seed: number) => themeOf(seed) === themeOf(before);
  const rank = (seed: number) => (seed === before ? 0 : isLike(seed) ? 1 : 2);
  return numbered(from, Math.min(seeds, CAUGHT_WITHIN)).sort((a, b) => rank(a) - rank(b));
}

function keep(caughtBy: Map<string, number>): void {
  const file = new URL("./breaks.ts", import.meta.url);
  let text = readFileSync(file, "utf8");
  for (const [name, seed] of caughtBy) {
    const [before, after] = text.split(`"${name}": {`) as [string, string];
    text = `${before}"${name}": {${after.replace(/seed: \d+/, `seed: ${seed}`)}`;
  }
  writeFileSync(file, text);
}
