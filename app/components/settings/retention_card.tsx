import { KEEP_DAYS_MAX, keptText, type Retention } from "~/domain/retention";
import { PostForm } from "../post_form";
import { Allowed } from "../rights";
import { Button } from "../ui/button";
import { Card } from "../ui/card";
import { Field, INPUT } from "../ui/field";

type Refused = { typed: Record<keyof Retention, string>; errors: { field: string; message: string }[] };

const FIELDS = [
  { name: "finishedDays", label: "Done and cancelled jobs, in days" },
  { name: "deadDays", label: "Dead jobs, in days" },
] as const;

/** For how long ended jobs are kept. `refused`: what was typed, where it was not taken. */
export const RetentionCard = ({ retention, refused }: { retention: Retention; refused: Refused | null }) => (
  <Card title="How long jobs are kept">
    <p className="max-w-xl text-kumo-subtle">
      Done and cancelled jobs are kept {keptText(retention.finishedDays)}, dead ones {keptText(retention.deadDays)}.
      They go with their attempts, logs, effects, deliveries and mails, and do not come back. Unfinished jobs stay.
    </p>
    <Allowed send="/settings">
      <PostForm className="mt-4 grid max-w-xl items-start gap-4 sm:grid-cols-2">
        {FIELDS.map(({ name, label }) => (
          <Field
            key={name}
            id={name}
            label={label}
            hint={`0 keeps for ever; at most ${KEEP_DAYS_MAX}.`}
            errors={refused?.errors.flatMap(({ field, message }) => (field === name ? [message] : []))}
          >
            {(ids) => (
              <input
                {...ids}
                key={retention[name]}
                name={name}
                required
                inputMode="numeric"
                defaultValue={refused?.typed[name] ?? retention[name]}
                className={INPUT}
              />
            )}
          </Field>
        ))}
        <div>
          <Button type="submit" variant="primary">
            Keep so long
          </Button>
        </div>
      </PostForm>
    </Allowed>
  </Card>
);
