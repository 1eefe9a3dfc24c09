import { useEffect, useRef } from "react";
import { Link } from "react-router";
import { type JobList, jobsAddress } from "~/domain/addresses";
import { count } from "~/domain/format";
import { VIEW_NAMES, VIEWS, type View } from "~/domain/states";
import { Dot } from "../ui/dot";

/** The views as tabs, each with the number of jobs that its list holds. */
export function JobTabs({ list, counts }: { list: JobList; counts: Record<View, number> | null }) {
  const ref = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: on a phone the tab of the view may lie beside the screen
  useEffect(() => {
    const on = ref.current?.querySelector("[aria-current]");
    if (on) ref.current?.scrollTo({ left: (on as HTMLElement).offsetLeft - 32 });
  }, [list.view]);
  const all = counts && VIEW_NAMES.reduce((sum, view) => sum + counts[view], 0);
  return (
    <nav ref={ref} aria-label="Views" className="relative -mx-4 overflow-x-auto px-4 sm:mx-0 sm:px-0">
      <ul className="flex w-max min-w-full gap-1 border-b border-kumo-line">
        <Tab to={jobsAddress(inView(list))} label="All" n={all} on={!list.view} />
        {VIEW_NAMES.map((view) => (
          <Tab
            key={view}
            to={jobsAddress(inView(list, view))}
            label={VIEWS[view].label}
            title={VIEWS[view].means}
            n={counts?.[view] ?? null}
            on={list.view === view}
            dot={
              <Dot
                tone={counts?.[view] ? VIEWS[view].tone : "neutral"}
                className={counts?.[view] ? "" : "opacity-40"}
              />
            }
          />
        ))}
      </ul>
    </nav>
  );
}

/** The same filters in another view; why jobs are dead says nothing of other views. */
const inView = ({ cause: _, cursor: __, ...list }: JobList, view?: View): JobList => ({ ...list, view });

type TabProps = { to: string; label: string; title?: string; n: number | null; on: boolean; dot?: React.ReactNode };

const Tab = ({ to, label, title, n, on, dot }: TabProps) => (
  <li>
    <Link
      to={to}
      title={title}
      aria-current={on ? "page" : undefined}
      className={`-mb-px flex h-10 items-center gap-1.5 border-b-2 px-2.5 text-base whitespace-nowrap no-underline focus-visible:-outline-offset-2 ${
        on
          ? "border-kumo-brand font-medium text-kumo-strong"
          : "border-transparent text-kumo-subtle hover:text-kumo-default"
      }`}
    >
      {dot}
      {label}
      {n !== null && (
        <span className={`text-sm tabular-nums ${on ? "text-kumo-default" : "text-kumo-subtle"}`}>{count(n)}</span>
      )}
    </Link>
  </li>
);
