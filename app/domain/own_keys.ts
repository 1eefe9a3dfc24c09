const ID = String.raw`[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}`;
const OF_JOBS = new RegExp(`^(bulk:|watch/|alert/|file:|schedule:|${ID}/(delivery|part)/)`);
const OF_A_FORM = new RegExp(`^form:${ID}$`);

/** Whether this deployment gives such keys to jobs of its own. Whoever took one would stop that job from being made. */
export const isOwnKey = (key: string): boolean => OF_JOBS.test(key);

export const OWN_KEY_TOLD =
  "begins as keys of this deployment's own jobs do (bulk:, watch/, alert/, file:, schedule:, <job>/delivery/, <job>/part/): choose another beginning";

/** The key of a submit by a form whose person named none: the same form sent twice is one job. `form`: its id, a UUID. */
export const formKey = (form: string): string => `form:${form}`;

/** The idempotency key that a person or a program gave; null where nobody did, and it is this deployment's own. */
export const givenKey = (key: string | null): string | null =>
  key === null || isOwnKey(key) || OF_A_FORM.test(key) ? null : key;
