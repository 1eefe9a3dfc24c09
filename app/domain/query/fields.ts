import { shortId } from "../format";
import { LANES } from "../lanes";
import { VIEW_NAMES } from "../states";

type About = {
  /** What a value of it says, for the list of suggestions. */
  means: string;
  example: string;
  /** All there are, where they are few; null: anything. */
  values: readonly string[] | null;
  chars: number;
};

/** What can be asked of a list of jobs, by name. Parser, suggestions, documentation and the address follow this. */
export const FIELDS = {
  state: {
    means: "how it stands: a name on a tab",
    example: "state:dead,retrying",
    values: VIEW_NAMES as string[],
    chars: 20,
  },
  kind: { means: "what work it is", example: "kind:send_email", values: null, chars: 100 },
  cause: { means: "why it is dead: the whole cause", example: 'cause:"demo: it broke"', values: null, chars: 500 },
  key: { means: "its idempotency key", example: "key:welcome-email:42", values: null, chars: 256 },
  group: { means: "the group it is in", example: "group:customer-7", values: null, chars: 256 },
  schedule: {
    means: "the schedule that made it, by name or id",
    example: "schedule:nightly",
    values: null,
    chars: 200,
  },
  operation: {
    means: "the operation that changed it last, by id",
    example: "operation:01990000-0000-7000-8000-000000000000",
    values: null,
    chars: 64,
  },
  priority: { means: "its lane: high, normal, or long", example: "priority:high", values: LANES, chars: 20 },
  created: { means: "when it was submitted", example: "created:>2026-12-01", values: null, chars: 80 },
  finished: { means: "when it ended", example: "finished:1h", values: null, chars: 80 },
} as const satisfies Record<string, About>;

export type Field = keyof typeof FIELDS;
export const FIELD_NAMES = Object.keys(FIELDS) as Field[];

export type TimeField = "created" | "finished";
export const isTime = (field: Field): field is TimeField => field === "created" || field === "finished";

/** As they stand on chips and in sentences: nobody reads all of an id. */
export const shownValues = (field: Field, values: string[]): string[] =>
  field === "operation" ? values.map(shortId) : values;

export const QUERY_CHARS = 1_000;
export const QUERY_TERMS = 20;
export const TERM_VALUES = 20;
