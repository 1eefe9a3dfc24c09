import { jobAddress, kindsPlace, operationAddress } from "../addresses";
import { ruleAddress } from "../alerts/words";
import { filterText } from "../bulk/bulk";
import { filterOf } from "../bulk/words";
import { fileAddress } from "../files/files";
import { plural, shortId } from "../format";
import { scheduleAddress } from "../schedules/words";
import { watchAddress } from "../watches/words";
import { endpointAddress } from "../webhooks/webhooks";
import { aboutOf, OBJECTS, type ObjectType } from "./actions";
import type { ActivityRow } from "./feeds";

/** A deed as it is read: what stands before and after that which it was done to. `to`: where that is; null: nowhere any more. */
export type Deed = { before: string; object: string; to: string | null; after: string };

export function deedOf(row: ActivityRow): Deed {
  const about = aboutOf(row.action);
  if (!about) return { before: `${row.action} `, object: objectOf(row) ?? "", to: null, after: "" };
  const [before = "", after = ""] = about.did.split("{}");
  if (row.action === "cancel" && toldOf(row.after).state !== "cancelled") {
    return { before: "asked ", ...OF.job(row), after: " to stop" };
  }
  return { before, ...OF[about.to](row), after };
}

type Named = Pick<Deed, "object" | "to">;

/** Called by its name of now, else by the one that it had, else by the end of its id. Where it is stored no more, no link. */
const byName =
  (id: (row: ActivityRow) => string | null, address: (id: string) => string, sort: string) =>
  (row: ActivityRow): Named => {
    const key = id(row) ?? "";
    return {
      object: `${sort} ${row.name ?? nameThen(row) ?? shortId(key)}`,
      to: row.name === null ? null : address(key),
    };
  };

const OF: Record<ObjectType, (row: ActivityRow) => Named> = {
  job: byName(({ jobId }) => jobId, jobAddress, "the job"),
  jobs(row) {
    const { jobs, view, kind, cause, q } = toldOf(row.after);
    const n = plural(Array.isArray(jobs) ? jobs.length : Number(jobs), "job");
    if (row.object === null) return { object: n, to: null };
    const filter = filterOf({ view, kind, cause, q } as Parameters<typeof filterOf>[0]);
    return { object: `${n}: ${filterText(filter)}`, to: operationAddress(row.object) };
  },
  operation: (row) => ({ object: "an operation", to: operationAddress(row.object ?? "") }),
  kind: (row) => ({ object: `the kind ${row.object}`, to: kindsPlace(row.object ?? "") }),
  schedule: byName(({ scheduleId }) => scheduleId, scheduleAddress, "the schedule"),
  watch: byName(({ object }) => object, watchAddress, "the watch"),
  endpoint: byName(({ object }) => object, endpointAddress, "the endpoint"),
  rule: byName(({ object }) => object, ruleAddress, "the alert rule"),
  file: byName(({ object }) => object, fileAddress, "the file"),
  // To whoever may not read the lists of both it is not told which.
  token(row) {
    const name = nameThen(row);
    return { object: name === null ? OBJECTS.token : `the token ${name}`, to: null };
  },
  person: ({ object }) => ({ object: object === null ? OBJECTS.person : object || "whoever is not listed", to: null }),
  asked({ after }) {
    const { method, path } = toldOf(after);
    return { object: `${method} ${path}`, to: null };
  },
  submitter: (row) => ({ object: row.object ?? "", to: "/settings" }),
  retention: () => ({ object: "how long jobs are kept", to: "/settings" }),
  letters: () => ({ object: "whether dead letters are sent again", to: "/dead/letters" }),
};

function nameThen({ before, after }: ActivityRow): string | null {
  const name = toldOf(after).name ?? toldOf(before).name;
  return typeof name === "string" ? name : null;
}

const objectOf = ({ object, scheduleId, jobId }: ActivityRow): string | null => object ?? scheduleId ?? jobId;

/** What is told of before or after. */
export const toldOf = (text: string | null): Record<string, unknown> =>
  JSON.parse(text ?? "{}") as Record<string, unknown>;
