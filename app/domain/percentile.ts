/** Durations by bucket: of bucket b are those from 2^b up to 2^(b + 1) ms. */
export type Histogram = number[];

/**
 * The duration in ms below which the share `p` of them lies, as near as buckets that double can tell; null where there are
 * none: nothing was measured, which is not the same as 0.
 */
export function percentile(histogram: Histogram, p: number): number | null {
  const wanted = p * histogram.reduce((sum, n) => sum + n, 0);
  let below = 0;
  for (const [bucket, n] of histogram.entries()) {
    if (n > 0 && below + n >= wanted) return Math.round(2 ** (bucket + (wanted - below) / n));
    below += n;
  }
  return null;
}

export const addUp = (histograms: Histogram[]): Histogram =>
  (histograms[0] ?? []).map((_, bucket) => histograms.reduce((sum, one) => sum + (one[bucket] as number), 0));
