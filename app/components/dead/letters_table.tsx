import { Link } from "react-router";
import { jobAddress } from "~/domain/addresses";
import { LETTER_WORDS, type LetterFate, type LetterRow, REPLAYS_MAX } from "~/domain/dead/letters";
import { Time } from "../time/time";
import { ScrollText } from "../ui/scroll_text";
import { StateBadge } from "../ui/state_badge";
import { Table, Td, Th, Tr } from "../ui/table";
import { ReplayLetter } from "./replay_letter";

/** Dead letters as rows: what came, why it is here, what became of it. */
export const LettersTable = ({ letters }: { letters: LetterRow[] }) => (
  <Table label="Dead letters">
    <thead>
      <tr>
        <Th className="w-36">When</Th>
        <Th>Message</Th>
        <Th className="w-36">
          <span className="sr-only">Send again</span>
        </Th>
      </tr>
    </thead>
    <tbody>
      {letters.map((letter) => (
        <Tr key={`${letter.queue} ${letter.messageId}`} data-letter={letter.messageId}>
          <Td className="w-36 tabular-nums">
            <Time at={letter.at} />
          </Td>
          <Td className="min-w-64">
            <div className="flex max-w-3xl flex-col gap-1.5">
              <p className="wrap-anywhere">
                <span className={`font-medium ${TONES[letter.fate]}`}>{LETTER_WORDS[letter.fate]}</span>
                <span className="text-kumo-subtle"> · {letter.why}</span>
              </p>
              <p className="text-sm text-kumo-subtle wrap-anywhere">
                <span className="font-mono">{letter.messageId}</span> of {letter.queue}
                {letter.replays > 0 && `, sent again ${letter.replays} of at most ${REPLAYS_MAX} times`}
              </p>
              {letter.job && (
                <p className="flex flex-wrap items-center gap-2 text-sm">
                  <Link to={jobAddress(letter.job.id)} className="font-mono wrap-anywhere">
                    {letter.job.id}
                  </Link>
                  <span className="text-kumo-subtle">attempt {letter.job.attempt}</span>
                  {letter.job.state && <StateBadge view={letter.job.state} />}
                </p>
              )}
              <ScrollText label={`Body of ${letter.messageId}`} wrap className="max-h-32 text-sm">
                {letter.body}
              </ScrollText>
            </div>
          </Td>
          <Td className="w-36 text-right">
            <ReplayLetter letter={letter} />
          </Td>
        </Tr>
      ))}
    </tbody>
  </Table>
);

const TONES: Record<LetterFate, string> = {
  buried: "text-kumo-danger",
  replayed: "text-kumo-info",
  ignored: "text-kumo-subtle",
  unreadable: "text-kumo-warning",
};
