import type { Tone } from "~/domain/states";
import { DOT } from "./tone";

/** A spot of colour beside a word that says the same. */
export const Dot = ({ tone, className = "" }: { tone: Tone; className?: string }) => (
  <span aria-hidden="true" className={`inline-block size-2 shrink-0 rounded-full ${DOT[tone]} ${className}`} />
);
