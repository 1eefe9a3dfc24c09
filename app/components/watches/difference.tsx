import { diffWords } from "~/domain/diff";

/** What differs between two texts, in place. Text is text: nothing in it is markup. */
export function Difference({ before, after }: { before: string; after: string }) {
  const changes = diffWords(before, after);
  if (changes.every(({ kind }) => kind === "same")) {
    return <p className="text-sm text-kumo-subtle">It differs further down than is kept here.</p>;
  }
  const keyed = changes.map((change, index) => ({ ...change, key: index }));
  return (
    <p className="max-h-72 overflow-y-auto text-sm whitespace-pre-wrap wrap-anywhere">
      {keyed.map(({ kind, text, key }) => {
        if (kind === "same") return <span key={key}>{shortened(text)}</span>;
        if (kind === "gone") {
          return (
            <del key={key} className="bg-kumo-danger-tint text-kumo-danger">
              {text}
            </del>
          );
        }
        return (
          <ins key={key} className="bg-kumo-success-tint text-kumo-success no-underline">
            {text}
          </ins>
        );
      })}
    </p>
  );
}

const AROUND = 120;

/** Of a long stretch that stayed the same only its ends are shown. */
const shortened = (text: string): string =>
  text.length <= 3 * AROUND ? text : `${text.slice(0, AROUND)} […] ${text.slice(-AROUND)}`;
