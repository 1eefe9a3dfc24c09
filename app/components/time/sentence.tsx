import type { Sentence } from "~/domain/job/standing";
import { TextLink } from "../ui/text_link";
import { Elapsed, Time } from "./time";

/** Draws a sentence with its times as times. */
export const SentenceText = ({ sentence }: { sentence: Sentence }) => (
  <>
    {sentence.map((part) => {
      if (typeof part === "string") return part;
      if ("to" in part) {
        return (
          <TextLink key={`to ${part.to}`} to={part.to}>
            {part.text}
          </TextLink>
        );
      }
      return "at" in part ? (
        <Time key={`at ${part.at}`} at={part.at} />
      ) : (
        <Elapsed key={`since ${part.since}`} since={part.since} />
      );
    })}
  </>
);
