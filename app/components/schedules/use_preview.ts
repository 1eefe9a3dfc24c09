import { type RefObject, useEffect, useRef, useState } from "react";
import { useFetcher } from "react-router";
import { scheduleFieldsOf } from "~/domain/schedules/fields";
import type { PreviewAnswer } from "~/domain/schedules/form";

const QUIET_MS = 250;
const TIMES = ["when", "cron", "timeZone", "everyMinutes", "anchor"] as const;

/** What the times in a form come to, while they are typed. Without a script it stays what the server said. */
export function usePreview(form: RefObject<HTMLFormElement | null>, given: { answer: PreviewAnswer; zone: string }) {
  const preview = useFetcher<{ answer: PreviewAnswer }>();
  const [zone, setZone] = useState(given.zone);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const ask = () => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      if (!form.current) return;
      const fields = scheduleFieldsOf(new FormData(form.current));
      setZone(fields.timeZone);
      void preview.load(`/schedules/preview?${new URLSearchParams(TIMES.map((name) => [name, fields[name]]))}`);
    }, QUIET_MS);
  };
  return { answer: preview.data?.answer ?? given.answer, zone, ask };
}
