import type { ScheduleRow } from "~/domain/schedules/feeds";
import { scheduleAddress } from "~/domain/schedules/words";
import { useNow } from "../time/now";
import { Time } from "../time/time";
import { Table, Td, Th, Tr } from "../ui/table";
import { TextLink } from "../ui/text_link";
import { FateBadge } from "./fate_badge";
import { ScheduleAction } from "./schedule_action";
import { SlotGrid } from "./slot_grid";

/** Schedules as rows: when next, what became of the last slots, what can be done. */
export const SchedulesTable = ({ schedules, form }: { schedules: ScheduleRow[]; form: string }) => (
  <Table label="Schedules">
    <thead className="hidden sm:table-header-group">
      <tr>
        <Th>Schedule</Th>
        <Th className="hidden w-36 md:table-cell">Next</Th>
        <Th className="hidden w-36 lg:table-cell">Last slot</Th>
        <Th className="hidden w-60 md:table-cell">Newest slots</Th>
        <Th className="w-28">
          <span className="sr-only">Actions</span>
        </Th>
      </tr>
    </thead>
    <tbody>
      {schedules.map((schedule) => (
        <Tr key={schedule.id} data-schedule={schedule.id}>
          <Td className="max-w-0">
            <Name schedule={schedule} />
            <div className="mt-2 flex flex-col gap-1.5 md:hidden">
              <Next schedule={schedule} />
              <SlotGrid slots={schedule.recent} />
            </div>
          </Td>
          <Td className="hidden w-36 tabular-nums md:table-cell">
            <Next schedule={schedule} />
          </Td>
          <Td className="hidden w-36 tabular-nums lg:table-cell">
            <Last schedule={schedule} />
          </Td>
          <Td className="hidden w-60 md:table-cell">
            <SlotGrid slots={schedule.recent} />
          </Td>
          <Td className="w-28">
            <div className="flex flex-col items-end gap-1.5">
              <ScheduleAction verb="run" size="sm" id={schedule.id} of={schedule.name} form={form} />
              <ScheduleAction
                verb={schedule.paused ? "resume" : "pause"}
                size="sm"
                id={schedule.id}
                of={schedule.name}
                form={form}
              />
            </div>
          </Td>
        </Tr>
      ))}
    </tbody>
  </Table>
);

const Name = ({ schedule }: { schedule: ScheduleRow }) => (
  <div className="flex min-w-0 flex-col">
    <TextLink to={scheduleAddress(schedule.id)} className="font-medium wrap-anywhere">
      {schedule.name}
    </TextLink>
    <span className="text-sm text-kumo-subtle">
      {schedule.text}
      {schedule.cron !== null && ` · ${schedule.timeZone}`} · {schedule.kind}
    </span>
    {schedule.error && <span className="text-sm text-kumo-danger wrap-anywhere">{schedule.error.text}</span>}
  </div>
);

/** So long after its slot a sweep should have come. */
const LATE_MS = 5 * 60_000;

const Next = ({ schedule: { paused, nextAt } }: { schedule: ScheduleRow }) => {
  const late = useNow((now) => nextAt !== null && now - Date.parse(nextAt) > LATE_MS);
  if (paused) {
    return (
      <span className="text-kumo-warning">
        Paused <Time at={paused.at} />
      </span>
    );
  }
  if (nextAt === null) return <span className="text-kumo-danger">Stopped</span>;
  return (
    <span className={late ? "text-kumo-danger" : ""}>
      <span className="text-kumo-subtle md:hidden">next </span>
      <Time at={nextAt} past={late ? "overdue," : "due"} />
    </span>
  );
};

const Last = ({ schedule: { recent } }: { schedule: ScheduleRow }) => {
  const [last] = recent;
  if (!last) return <span className="text-kumo-subtle">–</span>;
  return (
    <span className="flex flex-col items-start gap-0.5">
      <FateBadge fate={last.fate} />
      <span className="text-sm text-kumo-subtle">
        <Time at={last.slotAt} />
      </span>
    </span>
  );
};
