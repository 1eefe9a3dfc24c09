const RFC_3339 = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:[Zz]|[+-](\d\d):(\d\d))$/;

/** The years 0 to 9999 in UTC: RFC 3339 writes no others, and `instant` would write what nobody reads. */
const [FIRST, LAST] = [Date.parse("0000-01-01T00:00:00Z"), Date.parse("9999-12-31T23:59:59.999Z")];

/**
 * An RFC 3339 time with an offset, as ms since 1970; null for anything else. Checked field by field: `Date.parse` takes
 * 30 February, "-1" and "120".
 */
export function parseInstant(text: string): number | null {
  const match = RFC_3339.exec(text);
  if (!match) return null;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  // Date.UTC takes the years 0 to 99 for 1900 to 1999; the calendar repeats every 400 years.
  const lastDay = new Date(Date.UTC(year + 400, month, 0)).getUTCDate();
  if (month < 1 || month > 12 || day < 1 || day > lastDay || hour > 23 || minute > 59 || second > 59) return null;
  if (Number(match[8] ?? 0) > 23 || Number(match[9] ?? 0) > 59) return null;
  const ms = Date.parse(text.toUpperCase());
  return ms >= FIRST && ms <= LAST ? ms : null;
}

/** RFC 3339 UTC with ms and Z: the only form in which a time leaves the product. */
export const instant = (ms: number): string => new Date(ms).toISOString();
export const instantOrNull = (ms: number | null | undefined): string | null => (ms == null ? null : instant(ms));
