import { count } from "~/domain/format";

/** What a running job says of itself: a bar where it knows how much there is, and its own words. */
export function Progress({ text }: { text: string }) {
  const { done, total, note } = read(text);
  if (done === null) return <p className="text-sm text-kumo-subtle wrap-anywhere">{text}</p>;
  const percent = total ? Math.floor((Math.min(done, total) / total) * 100) : null;
  return (
    <div className="mt-1 flex max-w-md flex-col gap-1">
      {percent !== null && (
        <progress value={percent} max={100} aria-label="Progress" className="h-1.5 w-full accent-kumo-brand" />
      )}
      <p className="text-sm text-kumo-subtle tabular-nums wrap-anywhere">
        {percent !== null ? `${percent} %` : count(done)}
        {note && ` · ${note}`}
      </p>
    </div>
  );
}

function read(text: string): { done: number | null; total: number | null; note: string | null } {
  try {
    const { done, total, note } = JSON.parse(text) as Record<string, unknown>;
    const number = (value: unknown) => (typeof value === "number" && Number.isFinite(value) ? value : null);
    return { done: number(done), total: number(total), note: typeof note === "string" ? note : null };
  } catch {
    return { done: null, total: null, note: null };
  }
}
