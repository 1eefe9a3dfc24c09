import { count } from "./format";

/** Starts of jobs per time: at most `jobs` at once, and on average no more than `jobs` in each such stretch of time. */
export type Rate = { jobs: number; per: Per };
export const PER_MS = { second: 1_000, minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const;
export type Per = keyof typeof PER_MS;
export const PERS = Object.keys(PER_MS) as Per[];

/** How many jobs of a kind run at once, how many of one `groupKey`, and how many start in a time. What is left out is not limited. */
export type KindLimits = { running?: number; perGroup?: number; rate?: Rate };

/** In words, each limit by itself. */
export const limitWords = ({ running, perGroup, rate }: KindLimits): string[] => [
  ...(running ? [`${count(running)} at once`] : []),
  ...(perGroup ? [`${count(perGroup)} of a group at once`] : []),
  ...(rate ? [rateWords(rate)] : []),
];
export const rateWords = ({ jobs, per }: Rate): string => `${count(jobs)} ${per === "hour" ? "an" : "a"} ${per}`;

/** What a bucket holds: a start costs `perMs`, a millisecond brings `jobs`. */
export type Bucket = { level: number; perMs: number; at: number };

/** How long until the next start, in ms; 0: there is one now. A bucket that nobody has used is full. */
export function nextStartIn({ jobs, per }: Rate, bucket: Bucket | null, nowMs: number): number {
  if (!bucket) return 0;
  const kept = bucket.perMs === PER_MS[per] ? bucket.level : Math.floor((bucket.level * PER_MS[per]) / bucket.perMs);
  const level = kept + Math.max(0, nowMs - bucket.at) * jobs;
  return Math.max(0, Math.ceil((PER_MS[per] - level) / jobs));
}

export const LIMIT_MAX = 100_000;

/** As SQL reads it. */
export const encodeLimits = ({ running, perGroup, rate }: KindLimits): string =>
  JSON.stringify({ running, perGroup, ...(rate && { jobs: rate.jobs, perMs: PER_MS[rate.per] }) });

export function decodeLimits(text: string): KindLimits {
  const { running, perGroup, jobs, perMs } = JSON.parse(text) as Record<string, number | undefined>;
  const per = PERS.find((one) => PER_MS[one] === perMs);
  return {
    ...(running !== undefined && { running }),
    ...(perGroup !== undefined && { perGroup }),
    ...(jobs !== undefined && per && { rate: { jobs, per } }),
  };
}

/** What is wrong with limits of a definition, in words; null: nothing. */
export function limitsProblem({ running, perGroup, rate }: KindLimits): string | null {
  const right = `must be a whole number from 1 to ${LIMIT_MAX}`;
  const wrong = (value: number | undefined) =>
    value !== undefined && !(Number.isInteger(value) && value >= 1 && value <= LIMIT_MAX);
  if (wrong(running)) return `limits.running ${right}`;
  if (wrong(perGroup)) return `limits.perGroup ${right}`;
  if (rate && wrong(rate.jobs)) return `limits.rate.jobs ${right}`;
  return rate && !(rate.per in PER_MS) ? `limits.rate.per is one of ${PERS.join(", ")}` : null;
}

/** Limits that hold nothing. */
export const unlimited = ({ running, perGroup, rate }: KindLimits): boolean => !running && !perGroup && !rate;

/** How many jobs of one group the definitions let run, as a sweep remembers it: JSON, by kind. */
export const groupLimitsOf = (kinds: ReadonlyMap<string, { limits?: KindLimits }>): string =>
  JSON.stringify(
    Object.fromEntries([...kinds].flatMap(([name, { limits }]) => (limits?.perGroup ? [[name, limits.perGroup]] : []))),
  );

/** Kinds whose groups may let more run by `now` than by `before`, both of `groupLimitsOf`; null: all that may be, for nobody knows. */
export function raisedIn(before: string | null, now: string): string[] | null {
  if (before === null) return null;
  const limits: Record<string, number> = JSON.parse(now);
  return Object.entries(JSON.parse(before) as Record<string, number>).flatMap(([kind, limit]) =>
    (limits[kind] ?? Number.POSITIVE_INFINITY) > limit ? [kind] : [],
  );
}
