/** Errors that are met often, by a word of theirs, and what to do about them. The first that fits is told. */
const KNOWN: [RegExp, string][] = [
  [
    /\banswered 40[13]\b/,
    "The other side did not let it in: a key or token is wrong or over. A requeue sends the same one again.",
  ],
  [/\banswered (404|410)\b/, "Nothing is at that address. A requeue asks there again; edit and run asks elsewhere."],
  [/\banswered (400|409|413|415|422)\b/, "The other side read it, and does not take it as it is: edit and run."],
  [
    /\banswered 429\b|too many requests/i,
    "The other side takes no more than so many: set a rate for the kind, and give the requeue a pace.",
  ],
  [/\banswered 5\d\d\b/, "The trouble is on the other side: requeue once it is well again."],
  [
    /\bworker lost\b/,
    "The Worker ended while it ran, as when memory or processor time run out, or at a deploy. Where it comes back, look for what its payload makes large.",
  ],
  [
    /\btimed out after\b|\bno answer within\b/,
    "It took longer than it may. See in the last runs of its kind whether it always does.",
  ],
  [/\bexpired before it was started\b/, "It waited for too long: look at the backlog, and at what holds its kind."],
  [/certificate/i, "The other side cannot prove who it is: its certificate is to be renewed there."],
  [
    /cannot be resolved|\bENOTFOUND\b|DNS/,
    "No address belongs to that name: it is misspelt, or its record is gone. Edit and run asks elsewhere.",
  ],
  [
    /\bconnection (was )?(reset|refused|lost|closed)\b|\bECONN|\binternal error; reference/i,
    "No connection, or it broke off: the other side is down, or restarts. Requeue once it is well again.",
  ],
];

/** What a person can do about an error that is known, in one or two sentences; null: it says itself what it says. */
export const adviceFor = (error: string): string | null => KNOWN.find(([what]) => what.test(error))?.[1] ?? null;
