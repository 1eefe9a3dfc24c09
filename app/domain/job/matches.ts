/** More marks than these would make a page slow; matches beyond are counted. */
export const MARKS_SHOWN = 1_000;

/** Where `find` begins in `text`, in either case, one match not reaching into the next. */
export function matchesOf(text: string, find: string): number[] {
  if (find === "") return [];
  const [within, wanted] = [lower(text), lower(find)];
  const starts: number[] = [];
  for (let at = within.indexOf(wanted); at >= 0; at = within.indexOf(wanted, at + wanted.length)) starts.push(at);
  return starts;
}

/** Some letters become two when they are made small: then places would shift, so text of them is taken as it is. */
function lower(text: string): string {
  const small = text.toLowerCase();
  return small.length === text.length ? small : text;
}
