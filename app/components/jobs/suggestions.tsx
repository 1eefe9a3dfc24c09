import type { Suggestion } from "~/domain/query/suggest";

type Props = {
  id: string;
  found: Suggestion[];
  at: number;
  onPoint: (at: number) => void;
  onChoose: (suggestion: Suggestion) => void;
};

/** What could be meant, under the box. The focus stays in the box: it tells which one is pointed at. */
export function Suggestions({ id, found, at, onPoint, onChoose }: Props) {
  return (
    <div
      id={id}
      role="listbox"
      aria-label="Suggestions"
      hidden={found.length === 0}
      className="absolute inset-x-0 top-8 z-20 max-h-[60vh] overflow-y-auto rounded-lg bg-kumo-base p-1.5 shadow-lg ring ring-kumo-line"
    >
      {found.map((one, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: by keyboard it is Enter in the box
        <div
          key={one.insert}
          id={`${id}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === at}
          ref={(row) => {
            if (index === at) row?.scrollIntoView({ block: "nearest" });
          }}
          // The box would lose the focus, and these with it.
          onPointerDown={(event) => event.preventDefault()}
          onPointerMove={() => onPoint(index)}
          onClick={() => onChoose(one)}
          className={`flex cursor-pointer items-baseline justify-between gap-4 rounded px-2.5 py-1.5 text-sm ${
            index === at ? "bg-kumo-tint text-kumo-strong" : ""
          }`}
        >
          <span className="min-w-0 truncate font-mono">{one.insert}</span>
          <span className="shrink-0 text-kumo-subtle">{one.means}</span>
        </div>
      ))}
    </div>
  );
}
