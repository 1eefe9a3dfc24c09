import { diffWords } from "~/domain/watches/diff";

/** What differs between two texts, in place. Text is text: nothing in it is markup. */
export function Difference({ before, after }: { before: string; after: string }) {
  const changes = diffWords(before, after);
  if (changes.every(({ kind }) => kind === "same")) {
    return <p className="text-sm text-kumo-subtle">It differs further down than is kept here.</p>;
  }
  const keyed = changes.map((change, index) => ({ ...change, key: index }));
  return (
    <p className="text-sm whitespace-pre-wrap wrap-anywhere">
      {keyed.map(({ kind, text, key }) => {
        if (kind === "same") return <span key={key}>{shortened(text, SAME)}</span>;
        if (kind === "gone") {
          return (
            <del key={key} className="bg-kumo-danger-tint text-kumo-danger">
              {shortened(text, OTHER)}
            </del>
          );
        }
        return (
          <ins key={key} className="bg-kumo-success-tint text-kumo-success no-underline">
            {shortened(text, OTHER)}
          </ins>
        );
      })}
    </p>
  );
}

/** Of a long stretch only the ends are shown: so many characters of each. */
const SAME = 120;
const OTHER = 600;
const shortened = (text: string, ends: number): string =>
  text.length <= 3 * ends ? text : `${text.slice(0, ends)} […] ${text.slice(-ends)}`;
