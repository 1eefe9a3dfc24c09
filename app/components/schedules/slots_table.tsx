import { jobAddress } from "~/domain/addresses";
import { duration, shortId } from "~/domain/format";
import type { ScheduleDetail, SlotRow } from "~/domain/schedules/feeds";
import { slotsText } from "~/domain/schedules/words";
import { ExactTime } from "../time/time";
import { StateBadge } from "../ui/state_badge";
import { Table, Td, Th, Tr } from "../ui/table";
import { TextLink } from "../ui/text_link";
import { FateBadge } from "./fate_badge";

/** The history, newest slot first: what became of each, and how its job stands now. */
export const SlotsTable = ({ slots, jobs }: { slots: SlotRow[]; jobs: ScheduleDetail["jobs"] }) => (
  <Table label="Slots">
    <thead className="hidden sm:table-header-group">
      <tr>
        <Th>Slot</Th>
        <Th className="w-32">What became of it</Th>
        <Th>Job</Th>
      </tr>
    </thead>
    <tbody>
      {slots.map((slot) => (
        <Tr key={slot.slotAt}>
          <Td className="tabular-nums">
            <ExactTime at={slot.slotAt} />
            {slot.throughAt && (
              <span className="block text-sm text-kumo-subtle">
                to <ExactTime at={slot.throughAt} />: {slotsText(slot)}
              </span>
            )}
          </Td>
          <Td className="w-32">
            <FateBadge fate={slot.fate} />
            {slot.fate === "late" && (
              <span className="block text-sm text-kumo-subtle">
                by {duration(Date.parse(slot.decidedAt) - Date.parse(slot.slotAt))}
              </span>
            )}
          </Td>
          <Td>
            {slot.jobId && (
              <span className="flex flex-wrap items-center gap-2">
                <TextLink to={jobAddress(slot.jobId)} className="font-mono text-sm">
                  {shortId(slot.jobId)}
                </TextLink>
                {jobs[slot.jobId] && <StateBadge view={jobs[slot.jobId] as ScheduleDetail["jobs"][string]} />}
              </span>
            )}
            {slot.error && <span className="text-sm text-kumo-danger wrap-anywhere">{slot.error}</span>}
          </Td>
        </Tr>
      ))}
    </tbody>
  </Table>
);
