/** What a browser remembers of its user's taste. In a cookie, so that the first paint is right. */
export type Preferences = { theme: Theme; refresh: boolean };
export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

export const PREFERENCES_COOKIE = "preferences";
const YEAR_SECONDS = 31_536_000;

export function preferencesOf(cookieHeader: string | null): Preferences {
  const values = new URLSearchParams(readCookie(cookieHeader, PREFERENCES_COOKIE) ?? "");
  return withChange({ theme: "system", refresh: true }, values);
}

/** The preferences after a form's change; what it does not name or gets wrong stays. */
export function withChange(before: Preferences, change: { get: (name: string) => unknown }): Preferences {
  const theme = THEMES.find((name) => name === change.get("theme")) ?? before.theme;
  const refresh = change.get("refresh");
  return { theme, refresh: refresh === "on" || (refresh !== "off" && before.refresh) };
}

export function preferencesCookie({ theme, refresh }: Preferences): string {
  const value = new URLSearchParams({ theme, refresh: refresh ? "on" : "off" });
  return `${PREFERENCES_COOKIE}=${value}; Path=/; Max-Age=${YEAR_SECONDS}; SameSite=Lax; HttpOnly`;
}

export function readCookie(header: string | null, name: string): string | null {
  for (const part of (header ?? "").split(";")) {
    const [key, ...value] = part.trim().split("=");
    if (key === name) return value.join("=");
  }
  return null;
}
