import { type ChartView, dayNumber, RANGE_NAMES, type Range } from "./chart_range";
import { isZone } from "./zones";

const USUAL: Range = "24h";
const UTC = "UTC";

/** Reads what charts show from the address. What it does not know it leaves out: an old link still shows charts. */
export function chartViewOf(params: URLSearchParams): ChartView {
  const range = RANGE_NAMES.find((name) => name === params.get("range")) ?? USUAL;
  const day = params.get("day");
  const zone = params.get("zone");
  return {
    range,
    day: day !== null && dayNumber(day) !== null ? day : null,
    zone: zone !== null && zone.length <= 100 && isZone(zone) ? zone : UTC,
  };
}

export const overviewAddress = (view: Partial<ChartView>): string => withView("/", view);
export const overviewFeedAddress = (view: ChartView): string => withView("/api/v1/overview", view);

/** Without what goes without saying. */
function withView(path: string, { range, day, zone }: Partial<ChartView>): string {
  const query = new URLSearchParams();
  if (range && range !== USUAL) query.set("range", range);
  if (day) query.set("day", day);
  if (zone && zone !== UTC) query.set("zone", zone);
  return query.size > 0 ? `${path}?${query}` : path;
}
