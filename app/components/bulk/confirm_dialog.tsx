import { type FormEvent, useId, useLayoutEffect, useRef } from "react";
import { ConfirmFields, titleOf } from "./confirm_fields";
import type { Question } from "./question";

/** Asks over the page. The browser's own dialog: it holds the focus, closes on Escape, and gives the focus back. */
export function ConfirmDialog({
  question,
  problem,
  sending,
  onSubmit,
  onClose,
}: {
  question: Question;
  problem: string | null;
  sending: boolean;
  onSubmit: (fields: FormData) => void;
  onClose: () => void;
}) {
  const ref = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useLayoutEffect(() => {
    const dialog = ref.current;
    dialog?.showModal();
    dialog?.querySelector<HTMLElement>("[data-first]")?.focus();
    return () => dialog?.close();
  }, []);
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (!sending) onSubmit(new FormData(event.currentTarget));
  }
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: by keyboard it is Escape, which the browser does
    <dialog
      ref={ref}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => event.target === event.currentTarget && onClose()}
      className="m-auto max-h-[calc(100dvh-2rem)] w-[min(34rem,calc(100vw-2rem))] overflow-y-auto rounded-lg bg-kumo-base p-0 text-kumo-default shadow-xl ring ring-kumo-line backdrop:bg-black/45"
    >
      <form onSubmit={submit} className="flex flex-col gap-5 p-5">
        <h2 id={titleId} className="text-lg font-semibold tracking-tight text-kumo-strong">
          {titleOf(question)}
        </h2>
        <ConfirmFields question={question} problem={problem} sending={sending} onClose={onClose} />
      </form>
    </dialog>
  );
}
