import type { ReactNode } from "react";

export const Kbd = ({ children }: { children: ReactNode }) => (
  <kbd className="rounded bg-kumo-tint px-1.5 py-0.5 font-mono text-xs whitespace-nowrap text-kumo-default ring ring-kumo-line">
    {children}
  </kbd>
);
