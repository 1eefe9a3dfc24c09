import { Link } from "react-router";
import { overviewAddress } from "~/domain/overview/address";
import { type ChartView, RANGE_NAMES, RANGES } from "~/domain/overview/chart_range";
import { ZonePicker } from "./zone_picker";

/** How much of the past charts show, and by whose clock. `usual`: the zone that goes without saying. */
export const Ranges = ({ view, usual }: { view: ChartView; usual: string }) => (
  <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
    {view.day && <span className="text-kumo-default">{view.day}</span>}
    <nav aria-label="Time shown">
      <ul className="flex overflow-hidden rounded-md ring ring-kumo-line">
        {RANGE_NAMES.map((range) => {
          const on = view.range === range && !view.day;
          return (
            <li key={range}>
              <Link
                to={overviewAddress({ ...view, range, day: null }, usual)}
                preventScrollReset
                aria-current={on ? "true" : undefined}
                className={`block px-2.5 py-1 text-sm no-underline focus-visible:-outline-offset-2 ${
                  on
                    ? "bg-kumo-tint font-medium text-kumo-strong"
                    : "bg-kumo-base text-kumo-subtle hover:text-kumo-default"
                }`}
              >
                {RANGES[range].label}
              </Link>
            </li>
          );
        })}
      </ul>
    </nav>
    <ZonePicker view={view} />
  </div>
);
