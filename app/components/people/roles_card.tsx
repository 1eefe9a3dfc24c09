import { doesOf } from "~/domain/people/acts";
import { ROLES } from "~/domain/people/roles";
import { Card } from "../ui/card";

/** What each role may do, from the table that the door goes by. */
export const RolesCard = () => (
  <Card title="What each may do">
    <dl className="grid gap-x-6 gap-y-3 sm:grid-cols-[6rem_minmax(0,1fr)]">
      {ROLES.map((role, n) => (
        <div key={role} className="contents">
          <dt className="font-medium max-sm:-mb-2">{role}</dt>
          <dd className="text-kumo-subtle">
            {n === 0 ? "see everything but payloads, " : "all of that, and "}
            {doesOf(role).join(", ")}
          </dd>
        </div>
      ))}
      <div className="contents">
        <dt className="font-medium max-sm:-mb-2">payloads</dt>
        <dd className="text-kumo-subtle">
          a right of its own, with any role: what goes into jobs and comes out of them, logs, answers, mails and files.
          It takes it to make a job of another, and to edit a schedule.
        </dd>
      </div>
    </dl>
  </Card>
);
