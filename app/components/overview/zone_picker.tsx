import { Form, useNavigate } from "react-router";
import type { ChartView } from "~/domain/overview/chart_range";
import { useHydrated } from "../time/now";
import { browserZone } from "../time/zone";
import { Button } from "../ui/button";
import { SELECT } from "../ui/field";
import { useAsked } from "../use_asked";

/** Whose hours and days: UTC's, this browser's own, or those that the address names. */
export function ZonePicker({ view: { range, day, zone } }: { view: ChartView }) {
  const navigate = useNavigate();
  const asked = useAsked();
  const hydrated = useHydrated();
  const own = hydrated ? browserZone() : zone;
  const choose = (name: string) => {
    const query = asked();
    query.set("zone", name);
    void navigate(`/?${query}`, { preventScrollReset: true });
  };
  const zones = [...new Set(["UTC", own, zone])];
  return (
    <Form action="/" className="flex items-center gap-2">
      <input type="hidden" name="range" value={range} />
      {day && <input type="hidden" name="day" value={day} />}
      <label htmlFor="zone" className="sr-only">
        Time zone
      </label>
      <select
        id="zone"
        name="zone"
        key={zone}
        defaultValue={zone}
        onChange={(event) => choose(event.target.value)}
        // As wide as it is with this browser's own zone in it, which only a script knows.
        className={`${SELECT} w-44`}
      >
        {zones.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
      {zones.length > 1 && (
        <noscript>
          <Button type="submit" size="sm">
            Show
          </Button>
        </noscript>
      )}
    </Form>
  );
}
