import type { ReactNode } from "react";
import { jobAddress } from "~/domain/addresses";
import { CHANNEL_LABELS } from "~/domain/channels";
import { count } from "~/domain/format";
import type { WatchDetail } from "~/domain/watches/feeds";
import { COMPARISONS } from "~/domain/watches/watch";
import { DoneHere } from "../activity/done_here";
import { ExactTime, Time } from "../time/time";
import { Card } from "../ui/card";
import { TextLink } from "../ui/text_link";

/** Everything else that is known of a watch. */
export const WatchProperties = ({ watch }: { watch: WatchDetail }) => (
  <Card title="Properties">
    <dl className="flex flex-col gap-2.5 text-base">
      <Property name="Next">
        {watch.nextAt ? <ExactTime at={watch.nextAt} /> : "none"}
        {watch.checking && (
          <TextLink to={jobAddress(watch.checking)} className="block text-sm">
            being checked now
          </TextLink>
        )}
      </Property>
      <Property name="Page">
        <a
          href={watch.url}
          rel="noreferrer noopener"
          target="_blank"
          className="text-sm wrap-anywhere text-kumo-link underline"
        >
          {watch.url}
        </a>
      </Property>
      <Property name="Selector">
        {watch.selector === null ? (
          "the whole page"
        ) : (
          <span className="font-mono text-sm wrap-anywhere">{watch.selector}</span>
        )}
        {watch.attribute && <span className="font-mono text-sm"> · {watch.attribute}</span>}
      </Property>
      <Property name="Compared">
        {COMPARISONS[watch.compare].label}
        <span className="block text-sm text-kumo-subtle">{COMPARISONS[watch.compare].means}</span>
      </Property>
      <Property name="Tells">
        {watch.tells.length === 0 && "nobody"}
        {watch.tells.map(({ type, target }) => (
          <span key={type} className="block wrap-anywhere">
            {CHANNEL_LABELS[type]} <span className="text-sm text-kumo-subtle">{target}</span>
          </span>
        ))}
      </Property>
      {watch.checkedAt && (
        <Property name="Checked">
          <Time at={watch.checkedAt} />
        </Property>
      )}
      {watch.changedAt && (
        <Property name="Changed">
          <Time at={watch.changedAt} />
        </Property>
      )}
      <Property name="Created">
        <ExactTime at={watch.createdAt} />
      </Property>
      <Property name="Version">{count(watch.version)}</Property>
      <Property name="Activity">
        <DoneHere object={watch.id} className="" />
      </Property>
    </dl>
  </Card>
);

const Property = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="flex flex-col">
    <dt className="text-sm text-kumo-subtle">{name}</dt>
    <dd className="min-w-0 tabular-nums">{children}</dd>
  </div>
);
