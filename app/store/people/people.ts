import type { PersonRow } from "~/domain/people/people";
import { ALL_RIGHTS, LEAST_RIGHTS, type Rights } from "~/domain/people/roles";
import { instant } from "~/domain/time";
import { type Entry, openOnce } from "../audit";
import { CHAINED } from "../chain";
import { type Rows, type Statement, type Store, sql } from "../store";

export const PEOPLE_MAX = 500;
/** Whoever is not listed. */
const OTHERS = "";

/** What somebody may do who came in through Access: everything, until the first admin is listed. At most two rows are read. */
export async function findRights(store: Store, name: string | null): Promise<Rights> {
  const [rows = []] = await store.batch([
    sql("SELECT name, role, payloads FROM people WHERE name IN (?1, ?2) ORDER BY name DESC", name ?? OTHERS, OTHERS),
  ]);
  return rows.at(-1)?.name === OTHERS ? rightsOf(rows[0]) : ALL_RIGHTS;
}

const rightsOf = (row: Rows[number] | undefined): Rights =>
  row ? { role: row.role as Rights["role"], payloads: row.payloads === 1 } : LEAST_RIGHTS;

export type People = {
  /** What whoever is not listed may do; null: nobody is listed as an admin yet, so everybody is one. */
  others: Rights | null;
  people: PersonRow[];
};

export async function listPeople(store: Store): Promise<People> {
  const [rows = []] = await store.batch([
    sql(`SELECT name, role, payloads, updated_at, updated_by FROM people ORDER BY name LIMIT ${PEOPLE_MAX + 1}`),
  ]);
  const others = rows[0]?.name === OTHERS ? rows[0] : undefined;
  return {
    others: others ? rightsOf(others) : null,
    people: rows
      .filter((row) => row !== others)
      .map((row) => ({
        ...rightsOf(row),
        name: row.name as string,
        updatedAt: instant(row.updated_at as number),
        updatedBy: row.updated_by as string,
      })),
  };
}

const IS_LISTED = "EXISTS (SELECT 1 FROM people WHERE name = ?2)";
const HAS_ROOM = `(${IS_LISTED} OR (SELECT count(*) FROM people) <= ${PEOPLE_MAX})`;
/** `?3`: the deployment has another way to make admins; `?4`: who asks. */
const LEAVES_AN_ADMIN = `(?3 OR NOT EXISTS (SELECT 1 FROM people WHERE name = ?2 AND role = 'admin')
  OR EXISTS (SELECT 1 FROM people WHERE role = 'admin' AND name NOT IN ('${OTHERS}', ?2)))`;
const LEAVES_THE_ASKER_ONE = `(?3 OR ?2 = ?4 OR EXISTS (SELECT 1 FROM people WHERE name = '${OTHERS}'))`;

export type PersonChange = "changed" | "last-admin" | "not-listed" | "not-self" | "full";

/** Who asks, as people are listed; `spare`: there are admins beside the listed ones, such as whoever has ADMIN_TOKEN. */
export type Asker = { self: string; spare: boolean };

/**
 * Says what somebody may do, or takes them off the list (`rights` is null); `''` is all others, who come onto it with the
 * first admin. Nobody can shut out themselves and all others by it.
 */
export async function changePerson(
  store: Store,
  chain: string,
  name: string,
  rights: Rights | null,
  { self, spare }: Asker,
  entry: Entry,
): Promise<PersonChange> {
  const place = rights && name !== OTHERS ? HAS_ROOM : IS_LISTED;
  const safe = rights?.role === "admin" ? LEAVES_THE_ASKER_ONE : LEAVES_AN_ADMIN;
  const results = await store.batch([
    openOnce(chain, entry.id, `SELECT 1 WHERE ${place} AND ${safe}`, name, spare ? 1 : 0, self),
    auditOf(chain, name, entry, rights),
    ...(rights ? written(chain, name, rights, entry.actor) : [removed(chain, name)]),
    sql(
      `SELECT EXISTS (SELECT 1 FROM audit WHERE audit.id = ?1) AS landed, ${IS_LISTED} AS listed,
         EXISTS (SELECT 1 FROM people WHERE name = ?2 AND role = 'admin') AS admin,
         EXISTS (SELECT 1 FROM people WHERE name = '${OTHERS}') AS ruled`,
      entry.id,
      name,
    ),
  ]);
  const [row] = results.at(-1) as [{ landed: number; listed: number; admin: number; ruled: number }];
  if (row.landed) return "changed";
  if (row.admin) return "last-admin";
  if (!row.listed && (!rights || name === OTHERS)) return "not-listed";
  return row.ruled ? "full" : "not-self";
}

const written = (chain: string, name: string, { role, payloads }: Rights, actor: string): Statement[] => [
  sql(
    `INSERT INTO people (name, role, payloads, updated_at, updated_by) SELECT ?2, ?3, ?4, clock, ?5 FROM ${CHAINED} WHERE true
     ON CONFLICT (name) DO UPDATE SET role = excluded.role, payloads = excluded.payloads,
       updated_at = excluded.updated_at, updated_by = excluded.updated_by`,
    chain,
    name,
    role,
    payloads ? 1 : 0,
    actor,
  ),
  sql(
    `INSERT INTO people (name, role, payloads, updated_at, updated_by) SELECT '${OTHERS}', ?2, ?3, clock, ?4 FROM ${CHAINED}
     WHERE EXISTS (SELECT 1 FROM people WHERE role = 'admin') ON CONFLICT (name) DO NOTHING`,
    chain,
    LEAST_RIGHTS.role,
    LEAST_RIGHTS.payloads ? 1 : 0,
    actor,
  ),
];

const removed = (chain: string, name: string): Statement =>
  sql(`DELETE FROM people WHERE name = ?2 AND EXISTS (SELECT 1 FROM ${CHAINED})`, chain, name);

const SHOWN = "json_object('person', name, 'role', role, 'payloads', json(iif(payloads, 'true', 'false')))";

const auditOf = (chain: string, name: string, entry: Entry, after: Rights | null): Statement =>
  sql(
    `INSERT INTO audit (id, at, actor, action, before, after, reason)
     SELECT ?3, batch.clock, ?4, ?5, (SELECT ${SHOWN} FROM people WHERE name = ?2), ?6, ?7 FROM ${CHAINED} AS batch`,
    chain,
    name,
    entry.id,
    entry.actor,
    entry.action,
    after && JSON.stringify({ person: name, ...after }),
    entry.reason ?? null,
  );
