/** All rows of several selects, as one. D1 takes five selects at most in one union: more are nested. */
export function unionOf(selects: string[]): string {
  if (selects.length === 1) return selects[0] as string;
  const whole = selects.map((select) => `SELECT * FROM (${select})`);
  if (whole.length <= 5) return whole.join(" UNION ALL ");
  return unionOf(
    Array.from({ length: Math.ceil(selects.length / 5) }, (_, n) => unionOf(selects.slice(5 * n, 5 * n + 5))),
  );
}
