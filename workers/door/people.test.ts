import { beforeEach, describe, expect, it } from "vitest";
import type { Rights } from "~/domain/people/roles";
import { ALL_RIGHTS, LEAST_RIGHTS } from "~/domain/people/roles";
import { setPerson } from "~/lifecycle/people/people";
import { probes } from "~/testing/probes";
import { clean, World } from "~/testing/world";
import { person, serviceToken, visit } from "./testing";

let world: World;
beforeEach(async () => {
  await clean();
  world = new World(probes);
});

const rightsOf = async (access: CloudflareAccessContext, headers: Record<string, string> = {}) => {
  const { visitor } = await visit({}, "/jobs", { headers }, access, world);
  return visitor && { role: visitor.identity.role, payloads: visitor.identity.payloads };
};
const ann = person({ email: "Ann@Example.com" });
const bob = person({ email: "bob@example.com" });
const set = (name: string, rights: Rights | null, spare = false, self = "ann@example.com") =>
  setPerson(world.invocation().engine, name, rights, { self, spare }, { actor: self });
const service = (name: string) => ({
  "Cf-Access-Jwt-Assertion": `e30.${btoa(JSON.stringify({ common_name: name }))}.x`,
});

describe("people who come through Access", () => {
  it("are all admins until the first admin is listed, whoever else is", async () => {
    expect(await rightsOf(bob)).toEqual(ALL_RIGHTS);
    await set("bob@example.com", LEAST_RIGHTS);
    expect(await rightsOf(bob)).toEqual(ALL_RIGHTS);
    await set("ann@example.com", ALL_RIGHTS);
    expect([await rightsOf(ann), await rightsOf(bob)]).toEqual([ALL_RIGHTS, LEAST_RIGHTS]);
  });

  it("have what is said of them, in any case of their address, and others what is said of all others", async () => {
    await set("ann@example.com", ALL_RIGHTS);
    await set("bob@example.com", { role: "operator", payloads: true });
    expect(await rightsOf(person({ email: "BOB@example.com" }))).toEqual({ role: "operator", payloads: true });
    const eve = person({ email: "eve@example.com" });
    expect(await rightsOf(eve)).toEqual(LEAST_RIGHTS);
    await set("", { role: "operator", payloads: false });
    expect(await rightsOf(eve)).toEqual({ role: "operator", payloads: false });
    await set("bob@example.com", null);
    expect(await rightsOf(bob)).toEqual({ role: "operator", payloads: false });
  });

  it("are known by their address alone: a name of their own choosing gives nothing", async () => {
    await set("ann@example.com", ALL_RIGHTS);
    expect(await rightsOf(person({ name: "ann@example.com" }))).toEqual(LEAST_RIGHTS);
    expect(await rightsOf(person({ name: "" }))).toEqual(LEAST_RIGHTS);
    await set("deploys.access", { role: "operator", payloads: false });
    expect(await rightsOf(person({ email: "deploys.access" }))).toEqual(LEAST_RIGHTS);
  });

  it("service tokens are known by their name, which is never a person's", async () => {
    await set("ann@example.com", ALL_RIGHTS);
    await set("deploys.access", { role: "operator", payloads: false });
    expect(await rightsOf(serviceToken, service("deploys.access"))).toEqual({ role: "operator", payloads: false });
    expect(await rightsOf(serviceToken, service("others.access"))).toEqual(LEAST_RIGHTS);
    expect(await rightsOf(serviceToken, service("ann@example.com"))).toEqual(LEAST_RIGHTS);
    expect(await rightsOf(serviceToken)).toEqual(LEAST_RIGHTS);
  });
});

describe("the first admin", () => {
  it("is who lists one, so that nobody shuts out themselves; with an admin token it may be anybody", async () => {
    expect(await set("ann@example.com", ALL_RIGHTS, false, "bob@example.com")).toBe("not-self");
    expect(await rightsOf(bob)).toEqual(ALL_RIGHTS);
    expect(await set("bob@example.com", ALL_RIGHTS, false, "bob@example.com")).toBe("changed");
    expect(await set("ann@example.com", ALL_RIGHTS, false, "bob@example.com")).toBe("changed");
    await world.sql("DELETE FROM people");
    expect(await set("ann@example.com", ALL_RIGHTS, true, "bob@example.com")).toBe("changed");
  });
});

describe("the last admin", () => {
  it("stays one, unless the deployment has an admin token; then roles stay in force without", async () => {
    await set("ann@example.com", ALL_RIGHTS);
    expect(await set("ann@example.com", { role: "operator", payloads: true })).toBe("last-admin");
    expect(await set("ann@example.com", null)).toBe("last-admin");
    expect(await rightsOf(ann)).toEqual(ALL_RIGHTS);
    expect(await set("ann@example.com", { role: "admin", payloads: false })).toBe("changed");
    expect(await set("ann@example.com", null, true)).toBe("changed");
    expect([await rightsOf(ann), await rightsOf(bob)]).toEqual([LEAST_RIGHTS, LEAST_RIGHTS]);
  });

  it("may go once there is another", async () => {
    await set("ann@example.com", ALL_RIGHTS);
    await set("bob@example.com", ALL_RIGHTS);
    expect(await set("ann@example.com", LEAST_RIGHTS)).toBe("changed");
    expect(await set("bob@example.com", LEAST_RIGHTS)).toBe("last-admin");
  });

  it("is no other than a listed one: what all others may do does not count, and is said only once there is an admin", async () => {
    expect(await set("", ALL_RIGHTS)).toBe("not-listed");
    await set("ann@example.com", ALL_RIGHTS);
    expect(await set("", ALL_RIGHTS)).toBe("changed");
    expect(await set("ann@example.com", null)).toBe("last-admin");
  });
});

it("a change is in the audit with what was and what is, once, though its reply was lost", async () => {
  await set("ann@example.com", ALL_RIGHTS);
  let calls = 0;
  world.fault = () => (++calls === 1 ? "after" : null);
  expect(await world.until(set("bob@example.com", { role: "operator", payloads: false }))).toBe("changed");
  world.fault = () => null;
  expect(await set("bob@example.com", null)).toBe("changed");
  expect(await set("bob@example.com", null)).toBe("not-listed");
  const rows = await world.sql<Record<string, string>>("SELECT action, before, after FROM audit ORDER BY id");
  const bobs = { person: "bob@example.com", role: "operator", payloads: false };
  expect(
    rows
      .slice(1)
      .map(({ action, before, after }) => [action, before && JSON.parse(before), after && JSON.parse(after)]),
  ).toEqual([
    ["person.set", null, bobs],
    ["person.remove", bobs, null],
  ]);
});
