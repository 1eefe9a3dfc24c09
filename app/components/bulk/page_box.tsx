import { useEffect, useRef } from "react";
import { plural } from "~/domain/format";
import { BOX } from "../ui/field";

type Props = { n: number; picked: number; className: string; onChange: (on: boolean) => void };

/** The box of all rows on screen: on, off, or in between. */
export function PageBox({ n, picked, className, onChange }: Props) {
  const ref = useRef<HTMLInputElement>(null);
  const some = picked > 0 && picked < n;
  useEffect(() => {
    if (ref.current) ref.current.indeterminate = some;
  }, [some]);
  return (
    <label className={`-my-2 -ml-3 grid size-10 cursor-pointer place-items-center ${className}`}>
      <input
        ref={ref}
        type="checkbox"
        className={BOX}
        checked={n > 0 && picked === n}
        disabled={n === 0}
        onChange={(event) => onChange(event.target.checked)}
        aria-label={`Select all ${plural(n, "job")} on this page`}
      />
    </label>
  );
}
