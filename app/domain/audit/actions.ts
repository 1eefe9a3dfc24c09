/** What was done something to, and the words for one of it. */
export const OBJECTS = {
  job: "a job",
  jobs: "several jobs",
  operation: "an operation",
  kind: "a kind",
  schedule: "a schedule",
  watch: "a watch",
  endpoint: "an endpoint",
  rule: "an alert rule",
  file: "a file",
  token: "a token",
  person: "somebody",
  submitter: "a submitter",
  retention: "how long jobs are kept",
  letters: "whether dead letters are sent again",
  asked: "something",
} as const;
export type ObjectType = keyof typeof OBJECTS;

type About = {
  to: ObjectType;
  /** What whoever did it has done; `{}` is what it was done to. */
  did: string;
};

/** Every action that the audit keeps, by its name there. */
export const ACTIONS = {
  requeue: { to: "job", did: "requeued {}" },
  cancel: { to: "job", did: "cancelled {}" },
  "edit and run": { to: "job", did: "made another job of {}" },
  resend: { to: "job", did: "sent a delivery of {} again" },
  replay: { to: "job", did: "sent the message of {} again" },
  "bulk requeue": { to: "jobs", did: "requeued {}" },
  "bulk cancel": { to: "jobs", did: "cancelled {}" },
  "bulk delete": { to: "jobs", did: "deleted {}" },
  "abort bulk": { to: "operation", did: "aborted {}" },
  "pause kind": { to: "kind", did: "paused {}" },
  "resume kind": { to: "kind", did: "resumed {}" },
  "limit kind": { to: "kind", did: "set limits of {}" },
  "schedule.create": { to: "schedule", did: "created {}" },
  "schedule.update": { to: "schedule", did: "changed {}" },
  "schedule.pause": { to: "schedule", did: "paused {}" },
  "schedule.resume": { to: "schedule", did: "resumed {}" },
  "schedule.run": { to: "schedule", did: "ran {} by hand" },
  "schedule.delete": { to: "schedule", did: "deleted {}" },
  "watch.create": { to: "watch", did: "created {}" },
  "watch.update": { to: "watch", did: "changed {}" },
  "watch.pause": { to: "watch", did: "paused {}" },
  "watch.resume": { to: "watch", did: "resumed {}" },
  "watch.check": { to: "watch", did: "had {} checked" },
  "watch.delete": { to: "watch", did: "deleted {}" },
  "endpoint.create": { to: "endpoint", did: "saved {}" },
  "endpoint.disable": { to: "endpoint", did: "disabled {}" },
  "endpoint.enable": { to: "endpoint", did: "enabled {}" },
  "endpoint.rotate": { to: "endpoint", did: "rotated the secret of {}" },
  "endpoint.test": { to: "endpoint", did: "sent a test event to {}" },
  "endpoint.delete": { to: "endpoint", did: "deleted {}" },
  "alert-rule.create": { to: "rule", did: "created {}" },
  "alert-rule.update": { to: "rule", did: "changed {}" },
  "alert-rule.enable": { to: "rule", did: "enabled {}" },
  "alert-rule.disable": { to: "rule", did: "disabled {}" },
  "alert-rule.test": { to: "rule", did: "tested the channels of {}" },
  "alert-rule.delete": { to: "rule", did: "deleted {}" },
  "upload-file": { to: "file", did: "uploaded {}" },
  "process-file": { to: "file", did: "had {} read" },
  "remove-file": { to: "file", did: "deleted {}" },
  "token.create": { to: "token", did: "made {}" },
  "token.revoke": { to: "token", did: "revoked {}" },
  "person.set": { to: "person", did: "said what {} may do" },
  "person.remove": { to: "person", did: "took {} off the list" },
  refused: { to: "asked", did: "was refused {}" },
  "daily limit": { to: "submitter", did: "set the daily limit of {}" },
  retention: { to: "retention", did: "set {}" },
  "replay dead letters": { to: "letters", did: "set {}" },
} as const satisfies Record<string, About>;

export type Action = keyof typeof ACTIONS;
export const ACTION_NAMES = Object.keys(ACTIONS) as Action[];

/** Null for what another release has written. */
export const aboutOf = (action: string): About | null =>
  Object.hasOwn(ACTIONS, action) ? ACTIONS[action as Action] : null;

/** What was done, said of `object`: `requeued it`. */
export const didTo = (action: string, object: string): string =>
  aboutOf(action)?.did.replace("{}", object) ?? `${action} (${object})`;

/** For a list to choose from: `requeued a job`. */
export const actionLabel = (action: Action): string => didTo(action, OBJECTS[ACTIONS[action].to]);
