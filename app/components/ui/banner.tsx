import { InfoIcon } from "@phosphor-icons/react/dist/ssr/Info";
import { WarningIcon } from "@phosphor-icons/react/dist/ssr/Warning";
import type { ReactNode } from "react";

type BannerTone = "info" | "success" | "warning" | "danger";

const LOOKS: Record<BannerTone, string> = {
  info: "bg-kumo-info-tint text-kumo-info ring-kumo-info/30",
  success: "bg-kumo-success-tint text-kumo-success ring-kumo-success/30",
  warning: "bg-kumo-warning-tint text-kumo-warning ring-kumo-warning/40",
  danger: "bg-kumo-danger-tint text-kumo-danger ring-kumo-danger/30",
};

/** One message over the width of what it speaks of. */
export function Banner({
  tone,
  title,
  children,
  action,
  role,
}: {
  tone: BannerTone;
  title: ReactNode;
  children?: ReactNode;
  action?: ReactNode;
  role?: "alert" | "status";
}) {
  const Icon = tone === "info" || tone === "success" ? InfoIcon : WarningIcon;
  return (
    <div role={role} className={`flex w-full items-start gap-3 rounded-lg px-4 py-3 ring ${LOOKS[tone]}`}>
      <Icon aria-hidden="true" size={18} weight="fill" className="mt-0.5 shrink-0" />
      <div className="min-w-0 flex-1">
        <p className="font-medium wrap-anywhere">{title}</p>
        {children && <div className="mt-0.5 text-sm text-kumo-default wrap-anywhere">{children}</div>}
      </div>
      {action && <div className="shrink-0">{action}</div>}
    </div>
  );
}
