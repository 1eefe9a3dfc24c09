import { utcText } from "~/domain/format";
import type { SlotRow } from "~/domain/schedules/feeds";
import { FATES } from "~/domain/schedules/schedule";
import { fatesText, slotsText } from "~/domain/schedules/words";
import { DOT } from "../ui/tone";

/** What became of the newest slots, oldest first: a square each. In words beside it, for who cannot see colours. */
export function SlotGrid({ slots }: { slots: SlotRow[] }) {
  if (slots.length === 0) return <span className="text-sm text-kumo-subtle">no slot yet</span>;
  return (
    <div className="flex flex-col gap-1">
      <div aria-hidden="true" className="flex flex-wrap gap-0.5">
        {slots.toReversed().map((slot) => (
          <span
            key={slot.slotAt}
            title={titleOf(slot)}
            className={`h-3.5 rounded-xs ${slot.throughAt === null ? "w-2" : "w-5"} ${DOT[FATES[slot.fate].tone]}`}
          />
        ))}
      </div>
      <span className="text-xs text-kumo-subtle">{fatesText(slots)}</span>
    </div>
  );
}

function titleOf(slot: SlotRow): string {
  const many = slotsText(slot);
  const when = slot.throughAt === null ? "" : ` to ${utcText(Date.parse(slot.throughAt))}`;
  return `${utcText(Date.parse(slot.slotAt))}${when}: ${FATES[slot.fate].label.toLowerCase()}${many ? `, ${many}` : ""}`;
}
