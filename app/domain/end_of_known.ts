/** Where a text that goes on unread stops being free of a begun word; a whole word that reaches beyond goes with it. */
export function endOfKnown(text: string, words: string[]): number {
  let end = text.length;
  for (const word of words) end = Math.min(end, text.length - begunAtEnd(text, word));
  let at = end;
  for (const word of words) {
    const start = text.indexOf(word, Math.max(0, end - word.length + 1));
    if (start >= 0) at = Math.min(at, start);
  }
  return at;
}

/** The most characters of `word`, but not all, that `text` ends with; in time that grows with the word alone (Knuth, Morris, Pratt). */
function begunAtEnd(text: string, word: string): number {
  const shorter = [0];
  const next = (matched: number, char: string | undefined) => {
    let n = matched;
    while (n > 0 && word[n] !== char) n = shorter[n - 1] as number;
    return word[n] === char ? n + 1 : 0;
  };
  for (let at = 1; at < word.length; at++) shorter.push(next(shorter[at - 1] as number, word[at]));
  let matched = 0;
  for (let at = Math.max(0, text.length - word.length + 1); at < text.length; at++) matched = next(matched, text[at]);
  return matched;
}
