import type { Tone } from "~/domain/states";

const FILL: Record<Tone, string> = {
  neutral: "fill-kumo-interact",
  info: "fill-kumo-info",
  progress: "fill-kumo-info",
  success: "fill-kumo-success",
  warning: "fill-kumo-warning",
  danger: "fill-kumo-danger",
};

/** Stacked bars, the first series at the bottom. */
export function Bars({ series, max }: { series: { tone: Tone; values: (number | null)[] }[]; max: number }) {
  const length = series[0]?.values.length ?? 0;
  return Array.from({ length }, (_, bucket) => {
    let y = 100;
    return series.map(({ tone, values }) => {
      const height = (100 * (values[bucket] ?? 0)) / max;
      if (height === 0) return null;
      y -= height;
      return (
        <rect
          // biome-ignore lint/suspicious/noArrayIndexKey: a bucket has no other name than its place
          key={`${bucket} ${tone}`}
          x={bucket + 0.08}
          y={y}
          width={0.84}
          height={height}
          className={FILL[tone]}
        />
      );
    });
  });
}
