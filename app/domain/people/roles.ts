/** Each role may do what those before it may. */
export const ROLES = ["viewer", "operator", "admin"] as const;
export type Role = (typeof ROLES)[number];

/** `payloads`: a right of its own, whatever the role, since what jobs carry is often about people. */
export type Rights = { role: Role; payloads: boolean };

export const ALL_RIGHTS: Rights = { role: "admin", payloads: true };
/** Of whom nobody has said anything. */
export const LEAST_RIGHTS: Rights = { role: "viewer", payloads: false };

export const rightsText = ({ role, payloads }: Rights): string => (payloads ? `${role} who sees payloads` : role);

export const covers = (own: Rights, needed: Rights): boolean =>
  ROLES.indexOf(own.role) >= ROLES.indexOf(needed.role) && (own.payloads || !needed.payloads);

/** What is needed where several things are asked for at once. */
export const both = (one: Rights, other: Rights): Rights => ({
  role: ROLES[Math.max(ROLES.indexOf(one.role), ROLES.indexOf(other.role))] as Role,
  payloads: one.payloads || other.payloads,
});
