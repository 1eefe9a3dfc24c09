export type Fits = (name: string) => boolean;

/**
 * Whether a name is like `glob`, where `*` stands for any part of it, in any case. Each part between the stars is looked for
 * once, from where the one before ended: names are of any length and come from outside, and a regular expression would try
 * every place anew.
 */
export function fitsOf(glob: string): Fits {
  const [first = "", ...more] = glob.toUpperCase().split("*");
  const last = more.pop();
  return (name) => {
    const text = name.toUpperCase();
    if (last === undefined) return text === first;
    if (!text.startsWith(first) || !text.endsWith(last)) return false;
    let at = first.length;
    for (const part of more) {
      const found = text.indexOf(part, at);
      if (found < 0) return false;
      at = found + part.length;
    }
    return at <= text.length - last.length;
  };
}
