import type { PointerEvent, ReactNode } from "react";
import type { Buckets } from "~/domain/overview/chart_range";
import { bucketText, ticksOf } from "~/domain/overview/chart_text";

type Props = {
  title: string;
  /** What the picture says, in words: for those who cannot see it. */
  summary: string;
  /** Beside the title: the totals, or the bucket that is pointed at. */
  aside: ReactNode;
  buckets: Buckets;
  zone: string;
  /** What the upper end of the axis reads. */
  top: string;
  /** The last bucket is still running. */
  partial: boolean;
  deploys: { at: number; version: string }[];
  /** The bucket that is pointed at, in this chart or in one beside it. */
  pointed: number | null;
  onPoint: (bucket: number | null) => void;
  /** Said in place of a picture that would show nothing. */
  empty: string | null;
  height: string;
  /** SVG, drawn on one unit a bucket and 100 units of height. */
  children: ReactNode;
  /** Over the picture. */
  over?: ReactNode;
};

/** A chart's frame. The picture is stretched to its width, so that the server can draw it; all text stands outside it. */
export function Plot(props: Props) {
  const { title, summary, aside, buckets, zone, top, partial, deploys, pointed, onPoint, empty, height } = props;
  const n = buckets.edges.length - 1;
  const percent = (bucket: number) => `${(100 * bucket) / n}%`;
  const point = (event: PointerEvent<HTMLDivElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    onPoint(Math.min(n - 1, Math.max(0, Math.floor(((event.clientX - left) / width) * n))));
  };
  return (
    <figure className="@container flex min-w-0 flex-col gap-1.5">
      <figcaption className="flex min-h-10 flex-wrap items-baseline justify-between gap-x-4 text-sm">
        <span className="font-medium text-kumo-default">{title}</span>
        <span className="text-kumo-subtle tabular-nums">{aside}</span>
      </figcaption>
      {/* The pointer only shows what the table below says too. */}
      <div
        className={`relative border-b border-kumo-line ${height}`}
        onPointerMove={point}
        onPointerDown={point}
        onPointerLeave={() => onPoint(null)}
      >
        <svg
          role="img"
          aria-label={`${title}: ${summary}`}
          viewBox={`0 0 ${n} 100`}
          preserveAspectRatio="none"
          className="absolute inset-0 size-full overflow-visible"
        >
          <line
            x1="0"
            x2={n}
            y1="0"
            y2="0"
            className="stroke-kumo-line"
            vectorEffect="non-scaling-stroke"
            strokeDasharray="2 4"
          />
          {props.children}
        </svg>
        <span className="pointer-events-none absolute top-0 left-0 bg-kumo-base/80 pr-1 text-xs text-kumo-subtle tabular-nums">
          {empty ? "" : top}
        </span>
        {partial && (
          <span
            title="still running"
            className="hatched pointer-events-none absolute inset-y-0 right-0"
            style={{ width: percent(1) }}
          />
        )}
        {deploys.map(({ at, version }) => (
          <span
            key={at}
            title={`release ${version}`}
            className="absolute inset-y-0 w-0 border-l border-dashed border-kumo-info"
            style={{ left: percent(placeOf(buckets.edges, at)) }}
          />
        ))}
        {pointed !== null && pointed < n && (
          <span
            className="pointer-events-none absolute inset-y-0 bg-kumo-contrast/10"
            style={{ left: percent(pointed), width: percent(1) }}
          />
        )}
        {props.over}
        {empty && (
          <span className="absolute inset-0 flex items-center justify-center text-sm text-kumo-subtle">{empty}</span>
        )}
      </div>
      <div aria-hidden="true" className="relative h-4 text-xs text-kumo-subtle tabular-nums">
        {ticksOf(buckets, zone).map(({ bucket, text, minor }) => (
          <span
            key={bucket}
            title={bucketText(buckets, bucket, zone)}
            className={`absolute -translate-x-1/2 whitespace-nowrap ${minor ? roomFor(text) : ""}`}
            style={{ left: within(percent(bucket + 0.5), text) }}
          >
            {text}
          </span>
        ))}
      </div>
    </figure>
  );
}

/** A name stands below its bucket; at either end within the chart, since another may be beside it. */
const within = (at: string, { length }: string): string =>
  `clamp(${length / 2}ch, ${at}, calc(100% - ${length / 2}ch))`;

/** How wide a chart must be for seven names of this length. */
const roomFor = ({ length }: string): string => (length > 5 ? "hidden @lg:inline" : "hidden @xs:inline");

/** Where an instant lies, in buckets from the left. */
function placeOf(edges: number[], at: number): number {
  const i = Math.max(
    0,
    edges.findLastIndex((edge) => edge <= at),
  );
  const [from, to] = [edges[i] as number, edges[i + 1] ?? (edges[i] as number) + 1];
  return i + (at - from) / (to - from);
}
