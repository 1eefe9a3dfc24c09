import { buttonVariants } from "@cloudflare/kumo/components/button";
import { CaretDownIcon } from "@phosphor-icons/react/dist/ssr/CaretDown";
import { type FocusEvent, type KeyboardEvent, type ReactNode, useRef } from "react";
import { Link } from "react-router";

/** A few links behind a button: the browser's own disclosure, so that it opens without a script. One is open at a time. */
export function Menu({ label, children }: { label: string; children: ReactNode }) {
  const ref = useRef<HTMLDetailsElement>(null);
  const close = () => {
    if (ref.current) ref.current.open = false;
  };
  function onBlur({ relatedTarget }: FocusEvent) {
    if (relatedTarget instanceof Node && !ref.current?.contains(relatedTarget)) close();
  }
  function onKeyDown({ key }: KeyboardEvent) {
    if (key !== "Escape" || !ref.current?.open) return;
    close();
    ref.current.querySelector("summary")?.focus();
  }
  return (
    <details ref={ref} name="menu" className="relative" onBlur={onBlur} onKeyDown={onKeyDown}>
      <summary
        className={`${buttonVariants({ variant: "secondary", size: "sm" })} cursor-pointer list-none [&::-webkit-details-marker]:hidden`}
      >
        {label}
        <CaretDownIcon aria-hidden="true" />
      </summary>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: a link's Enter is a click */}
      <ul
        onClick={close}
        className="absolute right-0 z-20 mt-1 flex w-max min-w-full flex-col rounded-lg bg-kumo-base p-1.5 shadow-lg ring ring-kumo-line"
      >
        {children}
      </ul>
    </details>
  );
}

/** `on`: what the link would choose is chosen already. `file`: it leads to a file, which the browser saves. */
export function MenuLink({
  to,
  on,
  file,
  children,
}: {
  to: string;
  on?: boolean;
  file?: boolean;
  children: ReactNode;
}) {
  return (
    <li>
      <Link
        to={to}
        preventScrollReset
        reloadDocument={file}
        aria-current={on ? "true" : undefined}
        className="flex items-center gap-2 rounded px-2.5 py-1.5 text-sm text-kumo-default no-underline hover:bg-kumo-tint"
      >
        {on !== undefined && (
          <span aria-hidden="true" className="w-3">
            {on && "✓"}
          </span>
        )}
        {children}
      </Link>
    </li>
  );
}
