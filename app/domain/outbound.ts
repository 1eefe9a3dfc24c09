/** What a deployment lets its jobs call. `allow` holds whole origins and is empty outside local mode. */
export type OutboundRules = { allow: string[]; ownHosts: string[] };

export const URL_RULE =
  "must be a public https address: a host name (no IP address, no localhost, not this deployment), without user or password";

/**
 * Why a job must not call `url`, or null if it may. The URL parser has already turned 2130706433, 0x7f.1 and 127.1 into
 * dotted form. What a name resolves to cannot be seen from a Worker: `global_fetch_strictly_public` covers our own zone.
 */
export function outboundProblem(url: string, rules: OutboundRules): string | null {
  if (!URL.canParse(url)) return `${URL_RULE}; this is no absolute URL`;
  const { protocol, hostname, origin, username, password } = new URL(url);
  if (username || password) return `${URL_RULE}; this has a user or password in it`;
  if (rules.allow.includes(origin)) return null;
  if (protocol !== "https:") return `${URL_RULE}; this is ${protocol}`;
  const host = hostname.replace(/\.+$/, "").toLowerCase();
  if (host.startsWith("[") || /^\d+\.\d+\.\d+\.\d+$/.test(host)) return `${URL_RULE}; ${host} is an IP address`;
  if (!host.includes(".") || /\.(localhost|local|internal|home\.arpa)$/.test(host))
    return `${URL_RULE}; ${host} is not public`;
  if (rules.ownHosts.includes(host)) return `${URL_RULE}; ${host} is this deployment`;
  return null;
}
