/** A stretch of text that both have, that only the old one has, or only the new one. */
export type Change = { kind: "same" | "gone" | "new"; text: string };

/** Words of the part that differs, old times new: beyond this it is shown as replaced whole. */
const CELLS = 4_000_000;

/** What differs between two texts, word by word: the fewest words gone and come. White space goes with its word. */
export function diffWords(before: string, after: string): Change[] {
  const old = wordsOf(before);
  const now = wordsOf(after);
  let head = 0;
  while (head < old.length && head < now.length && old[head] === now[head]) head++;
  let tail = 0;
  while (tail < Math.min(old.length, now.length) - head && old.at(-1 - tail) === now.at(-1 - tail)) tail++;
  const middle = between(old.slice(head, old.length - tail), now.slice(head, now.length - tail));
  return joined([
    ...old.slice(0, head).map((text): Change => ({ kind: "same", text })),
    ...middle,
    ...old.slice(old.length - tail).map((text): Change => ({ kind: "same", text })),
  ]);
}

const wordsOf = (text: string): string[] => text.match(/\s*\S+|\s+$/g) ?? [];

function between(old: string[], now: string[]): Change[] {
  const gone = (text: string): Change => ({ kind: "gone", text });
  const come = (text: string): Change => ({ kind: "new", text });
  if (old.length * now.length > CELLS) return [...old.map(gone), ...now.map(come)];
  const width = now.length + 1;
  // How many words the rests from (i, j) on have in common, at most.
  const common = new Uint16Array((old.length + 1) * width);
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = now.length - 1; j >= 0; j--) {
      const down = common[(i + 1) * width + j] as number;
      const right = common[i * width + j + 1] as number;
      common[i * width + j] =
        old[i] === now[j] ? (common[(i + 1) * width + j + 1] as number) + 1 : Math.max(down, right);
    }
  }
  const changes: Change[] = [];
  let i = 0;
  let j = 0;
  while (i < old.length && j < now.length) {
    if (old[i] === now[j]) {
      changes.push({ kind: "same", text: old[i] as string });
      i++;
      j++;
    } else if ((common[(i + 1) * width + j] as number) >= (common[i * width + j + 1] as number)) {
      changes.push(gone(old[i++] as string));
    } else {
      changes.push(come(now[j++] as string));
    }
  }
  return [...changes, ...old.slice(i).map(gone), ...now.slice(j).map(come)];
}

function joined(changes: Change[]): Change[] {
  const out: Change[] = [];
  for (const { kind, text } of changes) {
    const last = out.at(-1);
    if (last?.kind === kind) last.text += text;
    else out.push({ kind, text });
  }
  return out;
}
