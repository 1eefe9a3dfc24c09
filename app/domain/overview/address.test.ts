import { expect, test } from "vitest";
import { chartViewOf, overviewAddress, overviewFeedAddress } from "./address";

const of = (search: string, usual?: string) => chartViewOf(new URLSearchParams(search), usual);

test("an address says what charts show; whatever it does not, and whatever is none, is as usual", () => {
  expect(of("range=7d&day=2026-11-01&zone=Europe/Berlin")).toEqual({
    range: "7d",
    day: "2026-11-01",
    zone: "Europe/Berlin",
  });
  expect(of("")).toEqual({ range: "24h", day: null, zone: "UTC" });
  expect(of("range=9y&day=2026-13-01&zone=Mars/Phobos")).toEqual(of(""));
});

test("the zone of whoever asks for none is their own; a browser's that is none is left out", () => {
  expect(of("", "Asia/Kathmandu").zone).toBe("Asia/Kathmandu");
  expect(of("zone=UTC", "Asia/Kathmandu").zone).toBe("UTC");
  expect(of("zone=Mars/Phobos", "Asia/Kathmandu").zone).toBe("Asia/Kathmandu");
  expect(of("", "Mars/Phobos").zone).toBe("UTC");
});

test("an address leaves out what its reader takes for usual, and a feed's says the zone to whoever reads it", () => {
  for (const usual of ["UTC", "Asia/Kathmandu"]) {
    for (const zone of ["UTC", "Asia/Kathmandu", "Europe/Berlin"]) {
      const view = { range: "1h", day: null, zone } as const;
      const address = overviewAddress(view, usual);
      expect(of(address.slice(2), usual)).toEqual(view);
      expect(address.includes("zone=")).toBe(zone !== usual);
      expect(of(overviewFeedAddress(view).split("?")[1] as string)).toEqual(view);
    }
  }
});
