import { type ReactNode, useState } from "react";
import { count } from "~/domain/format";
import { MARKS_SHOWN, matchesOf } from "~/domain/job/matches";
import { useHydrated } from "../time/now";
import { SMALL_INPUT } from "../ui/field";

/** A field that searches `text`: Enter goes to the next match, Shift and Enter to the one before. */
export function useFinder(text: string, title: string): { find: string; at: number; finder: ReactNode } {
  const hydrated = useHydrated();
  const [find, setFind] = useState("");
  const [place, setPlace] = useState(0);
  const found = Math.min(matchesOf(text, find).length, MARKS_SHOWN);
  const at = found === 0 ? 0 : ((place % found) + found) % found;
  const finder = (
    <span
      className={`flex min-w-0 items-center gap-2 max-sm:flex-row-reverse ${hydrated ? "" : "invisible noscript:hidden"}`}
    >
      <span role="status" className="text-right whitespace-nowrap tabular-nums sm:min-w-14">
        {find !== "" && (found === 0 ? "none" : `${count(at + 1)} of ${count(found)}`)}
      </span>
      <input
        type="search"
        aria-label={`Find in ${title.toLowerCase()}`}
        placeholder="Find"
        value={find}
        onChange={(event) => {
          setFind(event.currentTarget.value);
          setPlace(0);
        }}
        onKeyDown={({ key, shiftKey }) => key === "Enter" && setPlace(at + (shiftKey ? -1 : 1))}
        className={`${SMALL_INPUT} max-w-28 min-w-12`}
      />
    </span>
  );
  return { find, at, finder };
}
