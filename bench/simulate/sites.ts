import type { Theme } from "./theme.ts";

/**
 * Every await site that the simulator reaches: the function of the store that asks D1, or the one that sends; with how
 * often a seed reaches it, about. What is reached and not named here fails the run, and the other way round.
 */
export const D1_SITES: Record<string, number> = {
  abortOperation: 1.7,
  applyChunk: 0.3,
  applyToNamed: 2.2,
  askForGroups: 1.2,
  beginEffect: 4.8,
  beginOperation: 2.5,
  beginSweep: 11.1,
  cancelJob: 2.8,
  claimJobs: 16.9,
  claimedWith: 0.3,
  commitPublication: 0.8,
  countReplay: 0.5,
  dropLeftovers: 1.4,
  endChecks: 0.1,
  endSweep: 6.2,
  expireJobs: 0.4,
  findOld: 1.1,
  findPayload: 1.6,
  findWatch: 1.1,
  finishEffect: 2.4,
  fireSlots: 1.2,
  forgetStart: 0.8,
  holdJobs: 1,
  insertJobs: 9.3,
  layLetters: 2.3,
  letGroupsGo: 2.9,
  lookUp: 4.7,
  markGoneSent: 0.3,
  markNextSent: 4,
  markSent: 0.4,
  measure: 1.6,
  nextChunk: 0.6,
  readForAlerts: 3,
  readForReport: 1.7,
  readHolders: 0.4,
  readLetter: 1.8,
  readNamed: 2.3,
  readOperation: 2,
  readRecorded: 0.8,
  refuseResults: 0.3,
  releaseLease: 0.3,
  renewLeases: 7.4,
  reopenJob: 2.7,
  settleJobs: 12.6,
  standingOf: 1.3,
  startChecks: 0.8,
  takeLease: 3.1,
  unsend: 0.3,
  whoSettled: 0.4,
  writeHeld: 1.1,
  writePause: 2.7,
  writeProgress: 0.9,
  writeReplayUntil: 0.6,
};
export const SEND_SITES: Record<string, number> = {
  "send by copyOrphans": 0.4,
  "send by postpone": 1.2,
  "send by sendOwed": 18.8,
};

/** Faults that each site is to meet a seed, on average: so that rare sites meet as many as those that are always there. */
const FAULTS_A_SEED = 0.32;
const MOST = 0.85;
/** Where more must go wrong than that, since only from there others are reached: a claim is read again, a row says unsent. */
const LEADING: Record<string, number> = { claimJobs: 3, "send by sendOwed": 3 };
const IN_STRAYS = 12;

/** How likely it is that a call there meets a fault. */
export function shareOf(site: string, theme: Theme): number {
  const leading = theme === "strays" && site === "send by sendOwed" ? IN_STRAYS : (LEADING[site] ?? 1);
  return Math.min(MOST, (leading * FAULTS_A_SEED) / (D1_SITES[site] ?? SEND_SITES[site] ?? 10));
}

/** Whether most seeds come there some times. */
export const isBusy = (site: string): boolean => (D1_SITES[site] ?? 0) >= 2.5;

/** The function that asks: the one that called `door`, by the stack. */
export function callerOf(door: string): string {
  const lines = (new Error().stack ?? "").split("\n");
  const at = lines.findIndex((line) => line.includes(`.${door} `));
  const name = lines[at + 1]?.match(/at (?:async )?(?:new )?(?:[\w$]+\.)*([\w$]+)/)?.[1] ?? "?";
  // A bundler numbers names that it finds twice.
  return name.replace(/\d+$/, "");
}
