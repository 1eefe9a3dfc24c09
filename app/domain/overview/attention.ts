import { jobsAddress, operationAddress } from "../addresses";
import { heldOf } from "../bulk/beside";
import { stoppedText } from "../bulk/words";
import type { Stats } from "../feeds";
import { count, plural } from "../format";
import type { Sentence } from "../job/standing";
import { LIMIT_WORDS } from "../limits_reached";
import { scheduleAddress } from "../schedules/words";
import type { Tone } from "../states";
import { backlogStanding, type Overview } from "./overview";

/** Something that needs a person: what, since when, and where to look. */
export type Attention = { key: string; tone: Extract<Tone, "danger" | "warning">; text: Sentence; to: string | null };

/** A few failures are what retries are for; so many, and such a share of all, are the kind's own trouble. */
const FAILURES = 5;
const SHARE = 0.25;
const BAD_SHARE = 0.75;

/** What needs a person beside the sweeper and the dead, worst first. */
export function attentionOf(overview: Overview, stats: Pick<Stats, "kinds" | "held">): Attention[] {
  const found = [
    ...overview.limits.map(
      (limit): Attention => ({ key: `limit ${limit}`, tone: "danger", text: [LIMIT_WORDS[limit]], to: null }),
    ),
    ...failing(overview),
    ...backlog(overview),
    ...overview.stopped.map(
      (operation): Attention => ({
        key: `operation ${operation.id}`,
        tone: "danger",
        text: [stoppedText(operation)],
        to: operationAddress(operation.id),
      }),
    ),
    ...overview.broken.map(
      ({ id, name, error, since }): Attention => ({
        key: `schedule ${id}`,
        tone: "danger",
        text: [`The schedule ${name} is broken since `, { at: since }, `: ${error}`],
        to: scheduleAddress(id),
      }),
    ),
    ...overview.silent.map(
      ({ id, name, dueAt }): Attention => ({
        key: `silent ${id}`,
        tone: "danger",
        text: [`The schedule ${name} is silent: its slot was due `, { at: dueAt }, "."],
        to: scheduleAddress(id),
      }),
    ),
    ...overview.watches.map(
      ({ id, name, failures, error }): Attention => ({
        key: `watch ${id}`,
        tone: "warning",
        text: [`The watch ${name} fails, ${plural(failures, "time")} in a row${error ? `: ${error}` : "."}`],
        to: `/watches/${encodeURIComponent(id)}`,
      }),
    ),
    ...overview.full.map(
      ({ submitter, limit }): Attention => ({
        key: `full ${submitter}`,
        tone: "warning",
        text: [`${submitter} has reached the limit of ${plural(limit, "job")} a day: further ones are refused.`],
        to: "/settings",
      }),
    ),
    ...paused(overview, stats),
    ...unknown(stats),
  ];
  return found.sort((a, b) => Number(b.tone === "danger") - Number(a.tone === "danger"));
}

const failing = ({ failing: kinds }: Overview): Attention[] =>
  kinds.flatMap(({ kind, failed, ended }) => {
    const share = failed / ended;
    if (failed < FAILURES || share < SHARE) return [];
    return {
      key: `failing ${kind}`,
      tone: share >= BAD_SHARE ? "danger" : "warning",
      text: [
        `${kind} fails: ${count(failed)} of ${plural(ended, "attempt")} in the last 15 minutes, ${Math.floor(100 * share)} %.`,
      ],
      to: jobsAddress({ kind }),
    };
  });

function backlog({ lanes, oldest }: Overview): Attention[] {
  const standing = backlogStanding(lanes);
  const latest = lanes[0];
  if (standing === "well" || !latest) return [];
  const waits: Sentence = latest.oldestAt ? ["the oldest was sent ", { at: latest.oldestAt }, "."] : ["."];
  return [
    {
      key: "backlog",
      tone: standing === "growing" ? "danger" : "warning",
      text: [
        `${standing === "growing" ? "The backlog grows" : "The backlog is old"}: ${plural(latest.messages ?? 0, "message")} in the lanes, `,
        ...waits,
      ],
      to: oldest ? jobsAddress({ view: "pending" }) : null,
    },
  ];
}

const paused = ({ paused: kinds }: Overview, stats: Pick<Stats, "kinds">): Attention[] =>
  kinds.map(({ kind, since, by, reason }) => {
    const counts = stats.kinds.find((one) => one.kind === kind)?.counts;
    const held = counts ? heldOf(counts) : 0;
    return {
      key: `paused ${kind}`,
      tone: "warning",
      text: [
        `${kind} is paused${by ? ` by ${by}` : ""} since `,
        { at: since },
        `${reason ? `: ${reason}` : ""}${held > 0 ? ` · ${plural(held, "job")} held` : ""}`,
      ],
      to: jobsAddress({ kind, view: "pending" }),
    };
  });

/** What an earlier release knew, or a later one will: nobody here can run it. */
const unknown = ({ held, kinds }: Pick<Stats, "kinds" | "held">): Attention[] =>
  held
    .filter(({ by }) => by === "unknown-kind")
    .map(({ kind }) => {
      const counts = kinds.find((one) => one.kind === kind)?.counts;
      const waiting = (counts?.scheduled ?? 0) + (counts?.pending ?? 0) + (counts?.retrying ?? 0);
      return {
        key: `unknown ${kind}`,
        tone: "warning",
        text: [`This release does not know the kind ${kind}: ${plural(waiting, "job")} of it held until one does.`],
        to: jobsAddress({ kind }),
      };
    });
