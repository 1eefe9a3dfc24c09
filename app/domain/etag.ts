const MINUTE_MS = 60_000;

/**
 * Weak, since it names what is shown and not its bytes: the build (a deploy never serves old markup), the revision (every
 * write that shows) and the minute (what changes by the clock alone is never older than that).
 */
export const etagOf = (build: string, at: { revision: number; now: string }): string =>
  `W/"${build.replace(/[^\w.+-]/g, "_")}.${at.revision}.${Math.floor(Date.parse(at.now) / MINUTE_MS)}"`;

/** Whether `If-None-Match` names this very tag, compared weakly (RFC 9110, 13.1.2). */
export const matchesEtag = (header: string, etag: string): boolean =>
  header.split(",").some((candidate) => weak(candidate.trim()) === weak(etag));

const weak = (tag: string): string => tag.replace(/^W\//, "");
