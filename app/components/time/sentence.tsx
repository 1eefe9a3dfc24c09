import type { Sentence } from "~/domain/standing";
import { Elapsed, Time } from "./time";

/** Draws a sentence with its times as times. */
export const SentenceText = ({ sentence }: { sentence: Sentence }) => (
  <>
    {sentence.map((part) => {
      if (typeof part === "string") return part;
      return "at" in part ? (
        <Time key={`at ${part.at}`} at={part.at} />
      ) : (
        <Elapsed key={`since ${part.since}`} since={part.since} />
      );
    })}
  </>
);
