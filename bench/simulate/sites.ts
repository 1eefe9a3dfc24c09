import type { Theme } from "./theme.ts";

/**
 * Every await site that the simulator reaches: the function of the store that asks D1, or the one that sends; with how
 * often a seed reaches it, about, outages aside. What is reached and not named here is a violation of its seed; what is named
 * and not reached fails the run from 2,000 seeds on.
 */
export const D1_SITES = {
  abortOperation: 1.5,
  applyChunk: 0.3,
  applyToNamed: 2.1,
  askForGroups: 1.4,
  beginEffect: 4.3,
  beginOperation: 1.9,
  beginSweep: 12.7,
  cancelJob: 3.6,
  claimJobs: 18.5,
  claimedWith: 0.5,
  commitPublication: 0.8,
  countReplay: 0.3,
  dropLeftovers: 1.5,
  endChecks: 0.2,
  endSweep: 5.5,
  expireJobs: 0.6,
  findOld: 1.2,
  findPayload: 1.3,
  findWatch: 1.4,
  finishEffect: 1.9,
  fireSlots: 1.1,
  forgetStart: 0.9,
  holdJobs: 0.9,
  insertJobs: 9.4,
  layLetters: 3.9,
  letGroupsGo: 0.2,
  lookUp: 5.5,
  markGoneSent: 0.6,
  markNextSent: 2.9,
  markSent: 0.4,
  measure: 1.3,
  readChunk: 0.5,
  readForAlerts: 2.6,
  readForReport: 1.6,
  readHolders: 0.5,
  readLetter: 2,
  readNamed: 2.8,
  readOperation: 1.8,
  readRecorded: 0.8,
  refuseResults: 0.2,
  releaseLease: 0.7,
  renewLeases: 9.2,
  reopenJob: 3.6,
  settleJobs: 13.9,
  standingOf: 1.1,
  startChecks: 0.7,
  takeLease: 3.8,
  unsend: 0.4,
  whoSettled: 0.6,
  writeHeld: 0.9,
  writePause: 2.8,
  writeProgress: 0.7,
  writeReplayUntil: 0.7,
} as const;
export type D1Site = keyof typeof D1_SITES;
export const SEND_SITES = {
  "send by copyOrphans": 0.4,
  "send by postpone": 2,
  "send by sendOwed": 17.1,
} as const;
const A_SEED: Record<string, number> = { ...D1_SITES, ...SEND_SITES };

export const isKnown = (site: string): boolean => site in A_SEED;

/** Faults that each site is to meet a seed, on average: so that rare sites meet as many as those that are always there. */
const FAULTS_A_SEED = 0.4;
const MOST = 0.9;
/**
 * Where more must go wrong than that, since only from there others are reached: a claim is read again, a row says unsent. And
 * where less must, since others are reached only from what went well: a chunk that was read is written.
 */
const LEADING: Record<string, number> = { claimJobs: 3, "send by sendOwed": 3, readChunk: 0.5 };
const IN_STRAYS = 12;

/** How likely it is that a call there meets a fault. */
export function shareOf(site: string, theme: Theme): number {
  const leading = theme === "strays" && site === "send by sendOwed" ? IN_STRAYS : (LEADING[site] ?? 1);
  return Math.min(MOST, (leading * FAULTS_A_SEED) / (A_SEED[site] ?? 10));
}

/** Whether most seeds come there some times. */
export const isBusy = (site: string): boolean => site in D1_SITES && (A_SEED[site] ?? 0) >= 2.5;

/** The function that asks: the one that called `door`, by the stack. */
export function callerOf(door: string): string {
  const lines = (new Error().stack ?? "").split("\n");
  const at = lines.findIndex((line) => line.includes(`.${door} `));
  const name = lines[at + 1]?.match(/at (?:async )?(?:new )?(?:[\w$]+\.)*([\w$]+)/)?.[1] ?? "?";
  // A bundler numbers names that it finds twice.
  return name.replace(/\d+$/, "");
}
