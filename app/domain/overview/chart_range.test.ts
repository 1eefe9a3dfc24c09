import { expect, test } from "vitest";
import { bucketsOf, dayNumber, dayOf, dayStart, partsOf, type Range } from "./chart_range";

const at = (text: string) => Date.parse(text);
const view = (range: Range, zone = "UTC", day: string | null = null) => ({ range, zone, day });
const NEW_YORK = "America/New_York";
const iso = (ms: number) => new Date(ms).toISOString().replace(".000", "");

test("C087: a local day has 25, 23 or 24 hours, as its clocks say", () => {
  for (const [day, hours] of [
    ["2026-11-01", 25],
    ["2026-03-08", 23],
    ["2026-12-01", 24],
  ] as const) {
    const { unit, edges } = bucketsOf(view("24h", NEW_YORK, day), 0);
    expect([day, unit, edges.length - 1]).toEqual([day, "hour", hours]);
    expect(dayOf(NEW_YORK, edges[0] as number)).toBe(day);
    expect(dayOf(NEW_YORK, (edges.at(-1) as number) - 1)).toBe(day);
    expect(dayOf(NEW_YORK, edges.at(-1) as number)).not.toBe(day);
  }
});

test("C087: the last 24 h are 24 whole hours and the running one", () => {
  const { edges } = bucketsOf(view("24h"), at("2026-12-01T10:20:00Z"));
  expect(edges).toHaveLength(26);
  expect(edges.slice(0, 1).concat(edges.slice(-2)).map(iso)).toEqual([
    "2026-11-30T10:00:00Z",
    "2026-12-01T10:00:00Z",
    "2026-12-01T11:00:00Z",
  ]);
});

test("an hour is 60 whole minutes and the running one, a week 168 hours, a month 30 days and today", () => {
  const now = at("2026-12-01T10:20:30.500Z");
  const ends = (range: Range) => [bucketsOf(view(range), now).edges[0], bucketsOf(view(range), now).edges.at(-1)];
  expect(ends("1h").map((ms) => iso(ms as number))).toEqual(["2026-12-01T09:20:00Z", "2026-12-01T10:21:00Z"]);
  expect(ends("7d").map((ms) => iso(ms as number))).toEqual(["2026-11-24T10:00:00Z", "2026-12-01T11:00:00Z"]);
  expect(ends("30d").map((ms) => iso(ms as number))).toEqual(["2026-11-01T00:00:00Z", "2026-12-02T00:00:00Z"]);
  expect(bucketsOf(view("30d"), now).edges).toHaveLength(32);
});

test("days of a month begin at the zone's midnight, over a clock change too", () => {
  const { edges } = bucketsOf(view("30d", NEW_YORK), at("2026-11-10T12:00:00Z"));
  const lengths = edges.slice(1).map((to, i) => (to - (edges[i] as number)) / 3_600_000);
  expect(lengths.filter((hours) => hours === 25)).toHaveLength(1);
  expect(lengths.filter((hours) => hours !== 24)).toHaveLength(1);
  expect(iso(edges.at(-1) as number)).toBe("2026-11-11T05:00:00Z");
});

test("hours of a zone that is half an hour off begin on its own full hours", () => {
  const { edges } = bucketsOf(view("24h", "Asia/Kolkata"), at("2026-12-01T10:20:00Z"));
  expect(iso(edges.at(-2) as number)).toBe("2026-12-01T09:30:00Z");
});

test("a day whose midnight is skipped begins where the gap ends, one whose midnight comes twice at the first", () => {
  const day = (text: string) => dayNumber(text) as number;
  // Beirut turns its clocks at midnight: 00:00 becomes 01:00 on 29 March 2026.
  expect(iso(dayStart("Asia/Beirut", day("2026-03-29")))).toBe("2026-03-28T22:00:00Z");
  // Havana goes back from 01:00 to 00:00 on 1 November 2026.
  expect(iso(dayStart("America/Havana", day("2026-11-01")))).toBe("2026-11-01T04:00:00Z");
  expect(iso(dayStart("Asia/Kathmandu", day("2026-12-01")))).toBe("2026-11-30T18:15:00Z");
});

test("what is no day is none", () => {
  expect(["2026-02-30", "2026-2-3", "yesterday", "", "2026-13-01"].map(dayNumber)).toEqual(Array(5).fill(null));
  expect(dayNumber("1970-01-02")).toBe(1);
});

test("whole hours are read by the hour, edges within an hour by the quarter", () => {
  const hours = bucketsOf(view("30d", NEW_YORK), at("2026-12-01T12:00:00Z"));
  expect(partsOf(hours).every(([, grain]) => grain === 3_600_000)).toBe(true);
  const kolkata = partsOf(bucketsOf(view("30d", "Asia/Kolkata"), at("2026-12-01T12:00:00Z")));
  expect(kolkata.slice(0, 3).map(([bucket, grain, from, to]) => [bucket, grain / 60_000, iso(from), iso(to)])).toEqual([
    [0, 15, "2026-10-31T18:30:00Z", "2026-10-31T19:00:00Z"],
    [0, 60, "2026-10-31T19:00:00Z", "2026-11-01T18:00:00Z"],
    [0, 15, "2026-11-01T18:00:00Z", "2026-11-01T18:30:00Z"],
  ]);
  expect(partsOf(bucketsOf(view("1h"), 90_000)).map(([, grain]) => grain / 60_000)).toEqual(Array(61).fill(1));
  const nepal = partsOf(bucketsOf(view("24h", "Asia/Kathmandu"), at("2026-12-01T12:00:00Z")));
  expect(new Set(nepal.map(([, grain]) => grain / 60_000))).toEqual(new Set([15]));
});

test("parts cover each bucket from edge to edge, without a hole", () => {
  for (const zone of ["UTC", NEW_YORK, "Asia/Kathmandu", "Australia/Lord_Howe"]) {
    for (const range of ["1h", "24h", "7d", "30d"] as const) {
      const buckets = bucketsOf(view(range, zone), at("2026-04-07T12:34:56Z"));
      let reached = buckets.edges[0];
      for (const [bucket, , from, to] of partsOf(buckets)) {
        expect(from).toBe(reached);
        expect(from).toBeGreaterThanOrEqual(buckets.edges[bucket] as number);
        expect(to).toBeLessThanOrEqual(buckets.edges[bucket + 1] as number);
        reached = to;
      }
      expect(reached).toBe(buckets.edges.at(-1));
    }
  }
});
