import { BellIcon } from "@phosphor-icons/react/dist/ssr/Bell";
import { CalendarBlankIcon } from "@phosphor-icons/react/dist/ssr/CalendarBlank";
import { ClockCounterClockwiseIcon } from "@phosphor-icons/react/dist/ssr/ClockCounterClockwise";
import { EnvelopeSimpleIcon } from "@phosphor-icons/react/dist/ssr/EnvelopeSimple";
import { EyeIcon } from "@phosphor-icons/react/dist/ssr/Eye";
import { FilesIcon } from "@phosphor-icons/react/dist/ssr/Files";
import { GaugeIcon } from "@phosphor-icons/react/dist/ssr/Gauge";
import { GearSixIcon } from "@phosphor-icons/react/dist/ssr/GearSix";
import { ListBulletsIcon } from "@phosphor-icons/react/dist/ssr/ListBullets";
import { NewspaperIcon } from "@phosphor-icons/react/dist/ssr/Newspaper";
import { PaperPlaneTiltIcon } from "@phosphor-icons/react/dist/ssr/PaperPlaneTilt";
import { ShapesIcon } from "@phosphor-icons/react/dist/ssr/Shapes";
import { SkullIcon } from "@phosphor-icons/react/dist/ssr/Skull";
import { StackIcon } from "@phosphor-icons/react/dist/ssr/Stack";
import { WebhooksLogoIcon } from "@phosphor-icons/react/dist/ssr/WebhooksLogo";
import { NavLink } from "react-router";
import { runningText } from "~/domain/bulk/words";
import { count } from "~/domain/format";
import { hasFrame, PAGES, type PagePath } from "~/domain/shell/pages";
import { useMay } from "../rights";
import { Dot } from "../ui/dot";

const ICONS: Record<PagePath, typeof GaugeIcon> = {
  "/": GaugeIcon,
  "/jobs": ListBulletsIcon,
  "/dead": SkullIcon,
  "/submit": PaperPlaneTiltIcon,
  "/kinds": ShapesIcon,
  "/operations": StackIcon,
  "/activity": ClockCounterClockwiseIcon,
  "/files": FilesIcon,
  "/schedules": CalendarBlankIcon,
  "/watches": EyeIcon,
  "/reports": NewspaperIcon,
  "/mail": EnvelopeSimpleIcon,
  "/endpoints": WebhooksLogoIcon,
  "/alerts": BellIcon,
  "/settings": GearSixIcon,
};

type NavProps = { dead: number | null; running: number; mailbox: boolean; label: string };

/** `dead`: how many jobs wait for a person; null where that is not known. `running`: operations that run. */
export function Nav({ dead, running, mailbox, label }: NavProps) {
  const may = useMay();
  return (
    <nav aria-label={label}>
      <ul className="flex flex-col gap-0.5">
        {PAGES.filter(({ to }) => may.open(to) && (mailbox || to !== "/mail")).map(({ to, label }) => (
          <li key={to}>
            <NavLink
              to={to}
              end={to === "/"}
              reloadDocument={!hasFrame(to)}
              className={({ isActive }) =>
                `flex h-9 items-center lg:h-8 gap-2.5 rounded-lg px-2.5 text-base no-underline ${
                  isActive
                    ? "bg-kumo-tint font-medium text-kumo-strong"
                    : "text-kumo-subtle hover:bg-kumo-tint hover:text-kumo-default"
                }`
              }
            >
              <PageIcon of={to} />
              {label}
              {to === "/dead" && dead !== null && dead > 0 && (
                <span className="ml-auto rounded-full bg-kumo-danger-tint px-2 text-xs leading-5 font-medium text-kumo-danger tabular-nums">
                  {count(dead)}
                  <span className="sr-only"> jobs</span>
                </span>
              )}
              {to === "/operations" && running > 0 && (
                <span className="ml-auto flex items-center gap-1.5 rounded-full bg-kumo-info-tint px-2 text-xs leading-5 font-medium text-kumo-info tabular-nums">
                  <Dot tone="progress" className="size-1.5" />
                  {runningText(running)}
                  <span className="sr-only"> running</span>
                </span>
              )}
            </NavLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function PageIcon({ of }: { of: PagePath }) {
  const Icon = ICONS[of];
  return <Icon aria-hidden="true" size={18} />;
}
