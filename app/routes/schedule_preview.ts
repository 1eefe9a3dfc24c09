import { EMPTY_SCHEDULE, scheduleFieldsOf } from "~/domain/schedules/fields";
import { previewFields } from "~/domain/schedules/form";
import type { Route } from "./+types/schedule_preview";

/** What the form asks while it is typed in: the answer comes from where the sweep's comes from. */
export const loader = ({ request }: Route.LoaderArgs) => {
  const fields = { ...EMPTY_SCHEDULE, ...scheduleFieldsOf(new URL(request.url).searchParams) };
  return { answer: previewFields(fields, Date.now()) };
};
