import { Link } from "react-router";

export type KindChoice = { name: string; title: string; description: string };
type Props = { kinds: KindChoice[]; chosen: string; addressOf: (kind: string) => string };

/** Links, not radio buttons: the kind is in the address, and its examples come with it, also without a script. */
export function KindPicker({ kinds, chosen, addressOf }: Props) {
  const kind = kinds.find(({ name }) => name === chosen);
  return (
    <nav aria-label="Kind of job" className="flex flex-col gap-3">
      <ul className="flex flex-wrap gap-2">
        {kinds.map(({ name, title, description }) => (
          <li key={name}>
            <Link
              to={addressOf(name)}
              replace
              preventScrollReset
              title={description}
              aria-current={name === chosen ? "true" : undefined}
              className={`flex h-9 items-center rounded-lg px-3 text-base no-underline ${
                name === chosen
                  ? "bg-kumo-info-tint font-medium text-kumo-strong ring-2 ring-kumo-brand"
                  : "bg-kumo-base text-kumo-default ring ring-kumo-line hover:bg-kumo-elevated"
              }`}
            >
              {title}
            </Link>
          </li>
        ))}
      </ul>
      {kind && (
        <p className="text-base text-kumo-subtle">
          <span className="font-mono text-sm text-kumo-default">{kind.name}</span> · {kind.description}
        </p>
      )}
    </nav>
  );
}
