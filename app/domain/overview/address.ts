import { isZone } from "../schedules/zones";
import { type ChartView, dayNumber, RANGE_NAMES, type Range } from "./chart_range";

const USUAL: Range = "24h";
const UTC = "UTC";

/**
 * Reads what charts show from the address; `usual`: the zone of whoever asks for none. What it does not know it leaves
 * out: an old link still shows charts.
 */
export function chartViewOf(params: URLSearchParams, usual = UTC): ChartView {
  const range = RANGE_NAMES.find((name) => name === params.get("range")) ?? USUAL;
  const day = params.get("day");
  const zone = [params.get("zone"), usual].find((name) => name && name.length <= 100 && isZone(name));
  return {
    range,
    day: day !== null && dayNumber(day) !== null ? day : null,
    zone: zone ?? UTC,
  };
}

export const overviewAddress = (view: ChartView, usual: string): string => withView("/", view, usual);
export const overviewFeedAddress = (view: ChartView): string => withView("/api/v1/overview", view, UTC);

/** Without what goes without saying. */
function withView(path: string, { range, day, zone }: ChartView, usual: string): string {
  const query = new URLSearchParams();
  if (range !== USUAL) query.set("range", range);
  if (day) query.set("day", day);
  if (zone !== usual) query.set("zone", zone);
  return query.size > 0 ? `${path}?${query}` : path;
}
