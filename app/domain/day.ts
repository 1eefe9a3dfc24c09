import { instant } from "./time";

/** A submitter's day that has no room for a call. Days are UTC's. */
export type FullDay = { submitter: string; dailyLimit: number; used: number; wanted: number; endsAt: number };

export const fullDayText = ({ submitter, dailyLimit, used, wanted, endsAt }: FullDay): string =>
  `${submitter} has submitted ${used} of at most ${dailyLimit} jobs today, and this call has ${wanted} more: nothing of it is stored. The next day begins at ${instant(endsAt)}`;
