import { plural } from "~/domain/format";
import type { Charts } from "~/domain/overview/overview";
import { instant } from "~/domain/time";
import { Time } from "../time/time";

const RELEASES = 3;

/** What the lines through the charts stand for, the newest first. */
export const Releases = ({ deploys }: Pick<Charts, "deploys">) =>
  deploys.length > 0 && (
    <p className="flex flex-wrap gap-x-3 text-sm text-kumo-subtle">
      {deploys
        .toSorted((a, b) => b.at - a.at)
        .slice(0, RELEASES)
        .map(({ at, version }) => (
          <span key={at} className="border-l border-dashed border-kumo-info pl-1.5">
            release <span className="font-mono">{version.slice(0, 12)}</span> <Time at={instant(at)} />
          </span>
        ))}
      {deploys.length > RELEASES && <span>and {plural(deploys.length - RELEASES, "earlier one")}</span>}
    </p>
  );
