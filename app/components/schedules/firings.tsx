import type { Preview } from "~/domain/schedules/preview";
import { LocalTime, LocalZone } from "../time/local_time";
import { Time } from "../time/time";
import { Table, Td, Th, Tr } from "../ui/table";

/** The next firings: on the schedule's clock, on this browser's, in UTC. Turned clocks are marked where they matter. */
export function Firings({ preview, zone }: { preview: Preview; zone: string }) {
  return (
    <>
      <Table label="Next firings" className="text-sm">
        <thead>
          <tr>
            {zone !== "UTC" && <Th>{zone || "Zone"}</Th>}
            <Th className="noscript:hidden">
              {/* As wide as a time: the column is the same before a script knows the zone. */}
              <span className="block w-30 truncate">
                Yours
                <LocalZone />
              </span>
            </Th>
            <Th>UTC</Th>
            <Th>
              <span className="sr-only">From now</span>
            </Th>
          </tr>
        </thead>
        <tbody>
          {preview.firings.map(({ at, wall, note }) => (
            <Tr key={at} className="tabular-nums">
              {zone !== "UTC" && (
                <Td>
                  <span className="whitespace-nowrap">{wall}</span>
                  {note && <span className="block max-w-64 text-kumo-warning">{note}</span>}
                </Td>
              )}
              <Td className="whitespace-nowrap noscript:hidden">
                <LocalTime at={at} />
              </Td>
              <Td className="whitespace-nowrap">{at.slice(0, 16).replace("T", " ")}</Td>
              <Td className="text-kumo-subtle">
                <Time at={at} />
              </Td>
            </Tr>
          ))}
        </tbody>
      </Table>
      {preview.changes.length > 0 && (
        <ul
          aria-label="Clock changes"
          className="flex flex-col gap-1 border-t border-kumo-hairline px-4 py-3 text-sm text-kumo-warning"
        >
          {preview.changes.map(({ at, text }) => (
            <li key={at}>{text}</li>
          ))}
        </ul>
      )}
    </>
  );
}
