import { type ReactNode, useLayoutEffect, useRef } from "react";

/** Over the page. The browser's own dialog: it holds the focus, closes on Escape, and gives the focus back. */
export function Dialog({
  label,
  className = "",
  onClose,
  children,
}: {
  label: string;
  className?: string;
  onClose: () => void;
  children: ReactNode;
}) {
  const ref = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const dialog = ref.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: by keyboard it is Escape, which the browser does
    <dialog
      ref={ref}
      aria-label={label}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => event.target === event.currentTarget && onClose()}
      className={`m-auto max-h-[calc(100dvh-2rem)] overflow-y-auto rounded-lg bg-kumo-base p-0 text-kumo-default shadow-xl ring ring-kumo-line backdrop:bg-black/45 ${className}`}
    >
      {children}
    </dialog>
  );
}
