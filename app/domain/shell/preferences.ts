/** What a browser remembers of its user's taste. In a cookie, so that the first paint is right. */
export type Preferences = {
  theme: Theme;
  /** Whether pages ask by themselves for what is new, and how often while things change. */
  refresh: boolean;
  everySeconds: Every;
  zone: Zone;
  /** The browser's, by its name, since the server cannot know it; "": not told. */
  timeZone: string;
  /** Whether single letters are shortcuts. */
  keys: boolean;
};
export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];
export const EVERY = [2, 5, 15, 60] as const;
export type Every = (typeof EVERY)[number];
/** Times are told in UTC, or as the clock of the browser has them. */
export const ZONES = ["utc", "local"] as const;
export type Zone = (typeof ZONES)[number];

export const PREFERENCES_COOKIE = "preferences";
const TIME_ZONE_CHARS = 100;
const YEAR_SECONDS = 31_536_000;
export const DEFAULTS: Preferences = {
  theme: "system",
  refresh: true,
  everySeconds: 2,
  zone: "utc",
  timeZone: "",
  keys: true,
};

export function preferencesOf(cookieHeader: string | null): Preferences {
  return withChange(DEFAULTS, new URLSearchParams(readCookie(cookieHeader, PREFERENCES_COOKIE) ?? ""));
}

/** The preferences after a form's change; what it does not name or gets wrong stays. `every=off` stops refreshing. */
export function withChange(before: Preferences, change: { get: (name: string) => unknown }): Preferences {
  const every = change.get("every");
  const everySeconds = EVERY.find((seconds) => String(seconds) === every);
  const refresh = everySeconds ? "on" : every === "off" ? "off" : change.get("refresh");
  return {
    theme: THEMES.find((name) => name === change.get("theme")) ?? before.theme,
    refresh: switched(refresh, before.refresh),
    everySeconds: everySeconds ?? before.everySeconds,
    zone: ZONES.find((name) => name === change.get("zone")) ?? before.zone,
    timeZone: textOf(change.get("timeZone")) ?? before.timeZone,
    keys: switched(change.get("keys"), before.keys),
  };
}

const switched = (value: unknown, before: boolean): boolean => value === "on" || (value !== "off" && before);

const textOf = (value: unknown): string | null =>
  typeof value === "string" && value.length <= TIME_ZONE_CHARS ? value : null;

/** Of those whose times are told by the browser's clock, its zone; of others UTC. */
export const zoneNameOf = ({ zone, timeZone }: Preferences): string => (zone === "local" && timeZone) || "UTC";

export function preferencesCookie({ theme, refresh, everySeconds, zone, timeZone, keys }: Preferences): string {
  const said = { theme, every: String(everySeconds), zone, timeZone, keys: keys ? "on" : "off" };
  const value = new URLSearchParams(said);
  if (!refresh) value.set("every", "off");
  return `${PREFERENCES_COOKIE}=${value}; Path=/; Max-Age=${YEAR_SECONDS}; SameSite=Lax; HttpOnly`;
}

export function readCookie(header: string | null, name: string): string | null {
  for (const part of (header ?? "").split(";")) {
    const [key, ...value] = part.trim().split("=");
    if (key === name) return value.join("=");
  }
  return null;
}
