/** Durations by bucket: of bucket b are those from 2^b up to 2^(b + 1) ms. */
export type Histogram = Map<number, number>;

/**
 * The duration in ms below which the share `p` of them lies, as near as buckets that double can tell; null where there are
 * none: nothing was measured, which is not the same as 0.
 */
export function percentile(histogram: Histogram, p: number): number | null {
  const buckets = [...histogram].filter(([bucket, n]) => bucket >= 0 && n > 0).sort(([a], [b]) => a - b);
  const total = buckets.reduce((sum, [, n]) => sum + n, 0);
  if (total === 0) return null;
  let below = 0;
  for (const [bucket, n] of buckets) {
    if (below + n >= p * total) return Math.round(2 ** (bucket + (p * total - below) / n));
    below += n;
  }
  return Math.round(2 ** ((buckets.at(-1) as [number, number])[0] + 1));
}

export function addTo(histogram: Histogram, bucket: number, n: number): void {
  histogram.set(bucket, (histogram.get(bucket) ?? 0) + n);
}
