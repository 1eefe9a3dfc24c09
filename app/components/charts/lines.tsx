type Props = { values: (number | null)[]; max: number; look: string; dashed?: boolean };

/** A line with gaps where nothing was measured. What stands alone is a dash as wide as its bucket. */
export function Line({ values, max, look, dashed }: Props) {
  return (
    <path
      d={pathOf(values, max)}
      className={`fill-none ${look}`}
      strokeWidth="1.75"
      strokeLinejoin="round"
      strokeLinecap="round"
      strokeDasharray={dashed ? "4 3" : undefined}
      vectorEffect="non-scaling-stroke"
    />
  );
}

function pathOf(values: (number | null)[], max: number): string {
  const y = (value: number) => round(100 - (100 * value) / max);
  return values
    .map((value, i) => {
      if (value === null) return "";
      const before = values[i - 1] ?? null;
      const after = values[i + 1] ?? null;
      if (before === null && after === null) return `M${i + 0.1} ${y(value)}H${i + 0.9}`;
      return `${before === null ? "M" : "L"}${i + 0.5} ${y(value)}`;
    })
    .join("");
}

const round = (n: number): number => Math.round(n * 100) / 100;
