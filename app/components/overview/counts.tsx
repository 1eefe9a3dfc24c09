import type { ReactNode } from "react";
import { Link } from "react-router";
import { jobsAddress } from "~/domain/addresses";
import { count } from "~/domain/format";
import { VIEW_NAMES, VIEWS, type View } from "~/domain/states";
import { Dot } from "../ui/dot";
import { TEXT } from "../ui/tone";

/** Every number is a link to exactly the jobs it counts. */
export const Counts = ({ counts }: { counts: Record<View, number> }) => (
  <nav aria-label="Jobs by state" className="overflow-hidden rounded-lg bg-kumo-base shadow-xs ring ring-kumo-line">
    <ul className="-mr-px -mb-px grid grid-cols-2 sm:grid-cols-4 xl:grid-cols-8">
      <li className="border-r border-b border-kumo-hairline">
        <Tile
          to={jobsAddress()}
          label="All"
          n={VIEW_NAMES.reduce((sum, view) => sum + counts[view], 0)}
          look="text-kumo-strong"
        />
      </li>
      {VIEW_NAMES.map((view) => (
        <li key={view} className="border-r border-b border-kumo-hairline">
          <Tile
            to={jobsAddress({ view })}
            label={VIEWS[view].label}
            means={VIEWS[view].means}
            n={counts[view]}
            look={numberLook(view, counts[view])}
            dot={
              <Dot
                tone={counts[view] > 0 ? VIEWS[view].tone : "neutral"}
                className={counts[view] > 0 ? "" : "opacity-40"}
              />
            }
          />
        </li>
      ))}
    </ul>
  </nav>
);

type TileProps = { to: string; label: string; means?: string; n: number; look: string; dot?: ReactNode };

const Tile = ({ to, label, means, n, look, dot }: TileProps) => (
  <Link
    to={to}
    title={means}
    className="flex h-full flex-col gap-0.5 px-4 py-3 no-underline hover:bg-kumo-elevated focus-visible:-outline-offset-2"
  >
    <span className="flex items-center gap-1.5 text-sm text-kumo-subtle">
      {dot}
      {label}
    </span>
    <span className={`text-2xl leading-8 font-semibold tracking-tight tabular-nums ${look}`}>{count(n)}</span>
  </Link>
);

/** Colour where a person should look, and only there. */
function numberLook(view: View, n: number): string {
  if (n === 0) return "text-kumo-subtle";
  return view === "dead" || view === "retrying" ? TEXT[VIEWS[view].tone] : "text-kumo-strong";
}
