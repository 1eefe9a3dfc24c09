import { type FormEvent, useLayoutEffect, useRef } from "react";
import type { Beside } from "~/domain/bulk/beside";
import { Dialog } from "../ui/dialog";
import { ConfirmFields, titleOf } from "./confirm_fields";
import type { Question } from "./question";

/** Asks over the page. */
export function ConfirmDialog({
  question,
  beside,
  problem,
  sending,
  onSubmit,
  onClose,
}: {
  question: Question;
  beside: Beside[];
  problem: string | null;
  sending: boolean;
  onSubmit: (fields: FormData) => void;
  onClose: () => void;
}) {
  const ref = useRef<HTMLFormElement>(null);
  useLayoutEffect(() => ref.current?.querySelector<HTMLElement>("[data-first]")?.focus(), []);
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (!sending) onSubmit(new FormData(event.currentTarget));
  }
  return (
    <Dialog label={titleOf(question)} className="w-[min(34rem,calc(100vw-2rem))]" onClose={onClose}>
      <form ref={ref} onSubmit={submit} className="flex flex-col gap-5 p-5">
        <h2 className="text-lg font-semibold tracking-tight text-kumo-strong">{titleOf(question)}</h2>
        <ConfirmFields question={question} beside={beside} problem={problem} sending={sending} onClose={onClose} />
      </form>
    </Dialog>
  );
}
