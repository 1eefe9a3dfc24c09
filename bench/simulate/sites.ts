/**
 * Every await site that the simulator reaches: the function of the store that asks D1, or the one that sends; with how
 * often a seed reaches it, about. What is reached and not named here fails the run, and the other way round.
 */
export const D1_SITES: Record<string, number> = {
  abortOperation: 0.2,
  commitPublication: 0.2,
  dropLeftovers: 1,
  endChecks: 0.1,
  findOld: 1,
  findWatch: 0.6,
  fireSlots: 0.7,
  askForGroups: 4,
  letGroupsGo: 4,
  readForReport: 0.2,
  readRecorded: 0.3,
  releaseLease: 0.1,
  startChecks: 0.5,
  takeLease: 0.3,
  applyChunk: 0.4,
  applyToNamed: 0.4,
  beginEffect: 2,
  beginOperation: 0.8,
  beginSweep: 10,
  cancelJob: 0.6,
  claimJobs: 4,
  claimedWith: 0.3,
  countReplay: 0.1,
  endSweep: 8,
  expireJobs: 0.2,
  findPayload: 0.8,
  finishEffect: 1.7,
  forgetStart: 0.2,
  holdJobs: 0.5,
  insertJobs: 4,
  layLetters: 1,
  lookUp: 2.7,
  markGoneSent: 0.3,
  markNextSent: 2,
  markSent: 0.2,
  measure: 0.4,
  nextChunk: 0.4,
  readForAlerts: 5,
  readHolders: 0.1,
  readLetter: 0.3,
  readNamed: 0.4,
  readOperation: 0.4,
  refuseResults: 0.2,
  renewLeases: 3,
  reopenJob: 1.7,
  settleJobs: 5,
  standingOf: 0.2,
  unsend: 0.2,
  whoSettled: 0.2,
  writeHeld: 0.6,
  writePause: 1.2,
  writeProgress: 0.3,
  writeReplayUntil: 0.2,
};
export const SEND_SITES: Record<string, number> = {
  "send by copyOrphans": 0.1,
  "send by postpone": 0.2,
  "send by sendOwed": 3,
};

/** Faults that each site is to meet a seed, on average: so that rare sites meet as many as those that are always there. */
const FAULTS_A_SEED = 0.25;
const MOST = 0.8;

export const shareOf = (site: string): number =>
  Math.min(MOST, FAULTS_A_SEED / ((D1_SITES[site] ?? SEND_SITES[site]) || 10));

/** The function that asks: the one that called `door`, by the stack. */
export function callerOf(door: string): string {
  const lines = (new Error().stack ?? "").split("\n");
  const at = lines.findIndex((line) => line.includes(`.${door} `));
  const name = lines[at + 1]?.match(/at (?:async )?(?:new )?(?:[\w$]+\.)*([\w$]+)/)?.[1] ?? "?";
  // A bundler numbers names that it finds twice.
  return name.replace(/\d+$/, "");
}
