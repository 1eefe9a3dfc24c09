import { type Store, sql } from "./store";

export type Signup = { id: string; email: string; name: string };

/** Stores a sign-up and answers its id: of two with one address the first one's. Safe to send again. */
export async function addSignup(store: Store, signup: Signup, sameEmail: string): Promise<string> {
  const [, rows] = await store.batch([
    sql(
      `INSERT INTO signups (id, same_email, email, name, created_at) VALUES (?1, ?2, ?3, ?4, {now})
       ON CONFLICT (same_email) DO NOTHING`,
      signup.id,
      sameEmail,
      signup.email,
      signup.name,
    ),
    sql("SELECT id FROM signups WHERE same_email = ?1", sameEmail),
  ]);
  const [stored] = rows as [{ id: string }];
  return stored.id;
}

export async function readSignup(store: Store, id: string): Promise<Signup | null> {
  const [rows] = await store.batch([sql("SELECT id, email, name FROM signups WHERE id = ?1", id)]);
  return (rows?.[0] as Signup | undefined) ?? null;
}
