import { jobsAddress } from "../addresses";
import type { AttemptRow } from "../feeds";
import { plural } from "../format";
import { rangeText, type TimeRange } from "./time_range";

const HOUR = 3_600_000;

/** How long ago jobs died, in hours of the clock, since deaths are counted by the hour: from so many up to the next. */
export const AGES = [
  { label: "This hour", from: 0 },
  { label: "< 6 h", from: 1 },
  { label: "< 24 h", from: 6 },
  { label: "< 3 d", from: 24 },
  { label: "< 7 d", from: 72 },
  { label: "Older", from: 168 },
] as const;

/** Hours that are looked at one by one; what is older is the rest. */
export const AGED_HOURS = AGES[AGES.length - 1]?.from as number;

/** Of each age, which deaths it counts: stretches that follow one another without a hole. */
export function agesAt(now: number): TimeRange[] {
  const hour = Math.floor(now / HOUR);
  return AGES.map(({ from }, i) => {
    const next = AGES[i + 1];
    return { from: next ? (hour - next.from + 1) * HOUR : null, to: from === 0 ? null : (hour - from + 1) * HOUR };
  });
}

export type CauseAges = {
  cause: string;
  n: number;
  /** Of each age, in the order of `AGES`. */
  ages: number[];
  firstHour: string;
  lastHour: string;
};

/** Dead jobs by cause and age, most first. */
export type DeadPage = {
  revision: number;
  now: string;
  causes: CauseAges[];
  /** Causes that have dead jobs; more than this many are not counted. */
  total: { n: number; orMore: boolean };
  /** Pass as `after` for the causes after these; null: there are none. */
  next: string | null;
};

export type CauseDetail = {
  revision: number;
  now: string;
  cause: string;
  /** Dead of it now. */
  n: number;
  ages: number[];
  firstHour: string;
  lastHour: string;
  /** Dead jobs by the hour in which they died, of the last 48 hours, the running one last. */
  hours: { edges: number[]; n: number[] };
  /** Of its newest dead jobs: what kinds they are, and which versions ran their last attempts. */
  looked: number;
  kinds: { name: string; n: number }[];
  versions: { name: string; n: number }[];
  example: { id: string; kind: string; label: string | null; finishedAt: string; attempt: AttemptRow | null } | null;
};

/** Exactly the jobs that a cell counts. */
export const cellAddress = (cause: string, range: TimeRange): string =>
  jobsAddress({ view: "dead", cause, q: `finished:${rangeText(range)}` });

export const causeAddress = (cause: string): string => `/causes/${encodeURIComponent(cause)}`;
export const deadAddress = (after?: string | null): string =>
  after ? `/dead?${new URLSearchParams({ after })}` : "/dead";
export const deadFeedAddress = (after: string | null): string =>
  after ? `/api/v1/causes?${new URLSearchParams({ after })}` : "/api/v1/causes";
export const causeFeedAddress = (cause: string): string => `/api/v1/causes/${encodeURIComponent(cause)}`;

/** So many causes are told with the counts of every page. */
export const CAUSES_TOLD = 50;

/** `3 more causes`, of which `shown` are seen: where not all are told, there may be others. */
export const moreCauses = (told: number, shown: number): string =>
  told < CAUSES_TOLD ? plural(told - shown, "more cause") : `${told - shown} or more further causes`;

/** A place in the list of causes, most first: how many, and which. */
export type CauseCursor = { n: number; cause: string };

export const writeCauseCursor = ({ n, cause }: CauseCursor): string => `${n}.${cause}`;

export function readCauseCursor(text: string): CauseCursor | null {
  const [, n, cause] = /^(\d{1,15})\.([\s\S]{1,300})$/.exec(text) ?? [];
  return n === undefined || cause === undefined ? null : { n: Number(n), cause };
}
