import type { Rights } from "~/domain/people/roles";
import { type Asker, changePerson, type PersonChange } from "~/store/people/people";
import type { By } from "~/store/reopen";
import type { Engine } from "../engine";
import { insist } from "../trouble/insist";

/** Says what somebody may do who comes in through Access; null takes them off the list. `''`: whoever is not listed. */
export function setPerson(
  engine: Engine,
  name: string,
  rights: Rights | null,
  asker: Asker,
  by: By,
): Promise<PersonChange> {
  const entry = { ...by, id: engine.newId(), action: rights ? ("person.set" as const) : ("person.remove" as const) };
  const chain = engine.newToken();
  return insist(engine, "set person", () => changePerson(engine.store, chain, name, rights, asker, entry));
}
