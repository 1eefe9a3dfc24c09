import { Link } from "react-router";

export type KindChoice = { name: string; title: string; description: string };

/** Links, not radio buttons: the kind is in the address, and its examples come with it, also without a script. */
export const KindPicker = ({
  kinds,
  chosen,
  addressOf,
}: {
  kinds: KindChoice[];
  chosen: string;
  addressOf: (kind: string) => string;
}) => (
  <nav aria-label="Kind of job">
    <ul className="grid gap-2 sm:grid-cols-2">
      {kinds.map(({ name, title, description }) => {
        const on = name === chosen;
        return (
          <li key={name}>
            <Link
              to={addressOf(name)}
              replace
              preventScrollReset
              aria-current={on ? "true" : undefined}
              className={`flex h-full flex-col gap-0.5 rounded-lg px-3 py-2.5 no-underline ${
                on
                  ? "bg-kumo-info-tint ring-2 ring-kumo-brand"
                  : "bg-kumo-base ring ring-kumo-line hover:bg-kumo-elevated"
              }`}
            >
              <span className="flex flex-wrap items-baseline gap-x-2 font-medium text-kumo-strong">
                {title} <span className="font-mono text-xs font-normal text-kumo-subtle">{name}</span>
              </span>
              <span className="text-sm text-kumo-subtle">{description}</span>
            </Link>
          </li>
        );
      })}
    </ul>
  </nav>
);
