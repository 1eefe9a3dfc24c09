import { type Rights, ROLES, type Role } from "~/domain/people/roles";
import { BOX } from "../ui/field";

const MEANS: Record<Role, string> = {
  viewer: "sees lists, jobs and numbers",
  operator: "also submits, requeues, cancels and pauses",
  admin: "also changes settings, secrets and roles",
};

/** A role, and beside it the right to see payloads. `id`: tells forms of one page apart. */
export const RightsFields = ({ id, rights }: { id: string; rights: Rights }) => (
  <>
    <fieldset className="flex flex-col gap-1.5">
      <legend className="mb-1.5 font-medium">Role</legend>
      {ROLES.map((role) => (
        <label key={role} className="flex items-baseline gap-2">
          <input type="radio" name="role" value={role} defaultChecked={rights.role === role} />
          <span>
            {role} <span className="text-sm text-kumo-subtle">· {MEANS[role]}</span>
          </span>
        </label>
      ))}
    </fieldset>
    <label htmlFor={`${id}-payloads`} className="flex items-center gap-2">
      <input id={`${id}-payloads`} type="checkbox" name="payloads" defaultChecked={rights.payloads} className={BOX} />
      <span>
        Shows payloads <span className="text-sm text-kumo-subtle">· results, logs, mails and files too</span>
      </span>
    </label>
  </>
);
