import { beforeEach, describe, expect, it } from "vitest";
import { LEAST_RIGHTS } from "~/domain/people/roles";
import { newApiToken } from "~/domain/people/tokens";
import { newSecret } from "~/domain/webhooks/signature";
import { lastRotation } from "~/store/webhooks/rotation";
import { probes } from "~/testing/probes";
import { scheduleOf } from "~/testing/schedules";
import { putWatch } from "~/testing/watches";
import { clean, World } from "~/testing/world";
import { createRule, disable as disableRule, enable as enableRule } from "./alerts/edit_rule";
import { cancel } from "./cancel";
import type { Engine } from "./engine";
import { limitKind } from "./limits/limit_kind";
import { pauseKind, resumeKind } from "./limits/pause_kind";
import { makeToken, revokeToken } from "./people/tokens";
import { requeue } from "./requeue";
import { create } from "./schedules/edit";
import { pause, resume } from "./schedules/pause";
import { pauseChecks, resumeChecks } from "./watches/pause";
import {
  disable as disableEndpoint,
  enable as enableEndpoint,
  remove,
  rotate,
  saveEndpoint,
} from "./webhooks/endpoints";

const ANN = { actor: "ann" };
const BEN = { actor: "ben" };
let world: World;
beforeEach(async () => {
  await clean();
  world = new World(probes);
});

/** Begins something whose first write commits, and whose reply is lost: it is sent again once everybody waits. */
function replyLost<T>(begin: () => Promise<T>): Promise<T> {
  let calls = 0;
  world.fault = () => (calls++ === 0 ? "after" : null);
  return begin();
}

const audited = async (action: string) =>
  (await world.sql("SELECT id FROM audit WHERE action = ? AND actor = 'ann'", action)).length;

describe("a button whose reply was lost and that is sent again has no second effect, whatever others did meanwhile", () => {
  it("a cancel leaves alone what somebody has requeued", async () => {
    const [id] = (await world.submit({ kind: "probe.ok", delaySeconds: 60 })) as [string];
    const first = replyLost(() => cancel(world.invocation().engine, { id }, ANN));
    const second = await world.until(requeue(world.invocation().engine, { id, generation: 1 }, BEN));
    expect(second).toEqual({ kind: "requeued", id, generation: 2 });
    expect(await world.until(first)).toEqual({ kind: "refused", state: "pending" });
    expect(await world.job(id)).toMatchObject({ state: "pending", generation: 2 });
    expect(await audited("cancel")).toBe(1);
    const { kept, real } = await world.recount();
    expect(kept).toEqual(real);
  });

  it("a cancel that nobody has crossed cancels, and says so", async () => {
    const [id] = (await world.submit({ kind: "probe.ok", delaySeconds: 60 })) as [string];
    expect(await world.until(replyLost(() => cancel(world.invocation().engine, { id }, ANN)))).toEqual({
      kind: "cancelled",
    });
    expect(await audited("cancel")).toBe(1);
  });

  it("a pause leaves a kind running that somebody has resumed", async () => {
    const first = replyLost(() => pauseKind(world.invocation().engine, "probe.ok", ANN));
    expect(await world.until(resumeKind(world.invocation().engine, "probe.ok", BEN))).toEqual({ kind: "changed" });
    expect(await world.until(first)).toEqual({ kind: "changed" });
    expect(await world.sql("SELECT paused_at FROM kinds WHERE name = 'probe.ok'")).toEqual([{ paused_at: null }]);
    expect(await audited("pause kind")).toBe(1);
  });

  it("limits leave those alone that somebody has set after them", async () => {
    const first = replyLost(() => limitKind(world.invocation().engine, "probe.ok", { running: 1 }, ANN));
    const second = limitKind(world.invocation().engine, "probe.ok", { running: 2 }, BEN);
    expect(await world.until(second)).toEqual({ kind: "changed" });
    expect(await world.until(first)).toEqual({ kind: "changed" });
    expect(await world.sql("SELECT limits FROM kinds WHERE name = 'probe.ok'")).toEqual([{ limits: '{"running":2}' }]);
  });
});

type By = { actor: string };
type Switch = (engine: Engine, id: string, by: By) => Promise<unknown>;
const DONE = { kind: "done" };
const CHANGED = { kind: "changed" };
const onOff = async (table: string, column: string, id: string) =>
  (await world.sql<{ at: number | null }>(`SELECT ${column} AS at FROM ${table} WHERE id = ?`, id))[0]?.at === null;

/** Whatever a person switches: how one is made, what turns it off and on, and how many calls come before the write of each. */
const SWITCHED: Record<
  string,
  {
    make: () => Promise<string>;
    off: { act: Switch; said: unknown; reads: number };
    on: { act: Switch; said: unknown; reads: number };
    isOn: (id: string) => Promise<boolean>;
  }
> = {
  schedule: {
    make: async () => {
      const text = JSON.stringify({ name: "n", cron: "* * * * *", kind: "probe.ok", payload: {} });
      return ((await create(world.invocation().engine, text, BEN)) as { id: string }).id;
    },
    off: { act: pause, said: "done", reads: 0 },
    on: { act: resume, said: "done", reads: 1 },
    isOn: async (id) => (await scheduleOf(world, id)).paused_at === null,
  },
  watch: {
    make: () => putWatch(world, "2026-12-02T08:00:00Z"),
    off: { act: pauseChecks, said: DONE, reads: 0 },
    on: { act: resumeChecks, said: DONE, reads: 2 },
    isOn: (id) => onOff("watches", "paused_at", id),
  },
  rule: {
    make: async () => {
      const call = { name: "r", condition: "dead", moreThan: 1, windowMinutes: 5, remindMinutes: 60 } as const;
      const channels = { webhook: "https://ops.example/hook" };
      const origin = "https://redrive.example";
      return ((await createRule(world.invocation().engine, { ...call, channels }, { origin }, BEN)) as { id: string })
        .id;
    },
    off: { act: disableRule, said: "done", reads: 0 },
    on: { act: enableRule, said: "done", reads: 0 },
    isOn: (id) => onOff("alert_rules", "disabled_at", id),
  },
  endpoint: {
    make: () => endpoint(),
    off: { act: disableEndpoint, said: CHANGED, reads: 0 },
    on: { act: enableEndpoint, said: CHANGED, reads: 0 },
    isOn: (id) => onOff("endpoints", "disabled_at", id),
  },
};

async function endpoint(): Promise<string> {
  const input = { name: "e", type: "standard", url: "https://hooks.example/in", headers: {} } as const;
  return ((await saveEndpoint(world.invocation().engine, input, [], BEN)) as { id: string }).id;
}

describe.each(Object.entries(SWITCHED))("a switch of a %s whose reply was lost", (_, { make, off, on, isOn }) => {
  it.each(["off", "on"] as const)(
    "turned %s is left as somebody has turned it since, and says that it was done",
    async (way) => {
      const id = await make();
      const [mine, theirs] = way === "off" ? [off, on] : [on, off];
      if (way === "on") await off.act(world.invocation().engine, id, BEN);
      const first = await lostAt(mine.reads, () => mine.act(world.invocation().engine, id, ANN));
      expect(await theirs.act(world.invocation().engine, id, BEN)).toEqual(theirs.said);
      expect(await world.until(first.answer)).toEqual(mine.said);
      expect(await isOn(id)).toBe(way === "off");
      expect(await world.sql("SELECT 1 FROM audit WHERE actor = 'ann' AND action NOT LIKE '%.create'")).toHaveLength(1);
    },
  );

  it("that nobody has crossed is as it was turned, and says so", async () => {
    const id = await make();
    const first = await lostAt(off.reads, () => off.act(world.invocation().engine, id, ANN));
    expect(await world.until(first.answer)).toEqual(off.said);
    expect(await isOn(id)).toBe(false);
    expect(await world.sql("SELECT 1 FROM audit WHERE actor = 'ann' AND action NOT LIKE '%.create'")).toHaveLength(1);
  });
});

describe("other deeds whose reply was lost", () => {
  it("an endpoint is deleted, and is not told to have been missing", async () => {
    const id = await endpoint();
    const first = await lostAt(0, () => remove(world.invocation().engine, id, ANN));
    expect(await world.until(first.answer)).toEqual(CHANGED);
    expect(await world.until(remove(world.invocation().engine, id, ANN))).toEqual({ kind: "not-found" });
  });

  it("a secret is rotated once, whoever rotates it then", async () => {
    const id = await endpoint();
    const first = await lostAt(0, () => rotate(world.invocation().engine, id, ANN));
    const second = (await rotate(world.invocation().engine, id, BEN)) as { secret: string };
    expect(await world.until(first.answer)).toMatchObject({ kind: "rotated" });
    expect(await world.sql("SELECT secret FROM endpoints WHERE id = ?", id)).toEqual([{ secret: second.secret }]);
  });

  it("what was saved and deleted by somebody since is not saved again", async () => {
    const input = { name: "e", type: "standard", url: "https://hooks.example/in", headers: {} } as const;
    const id = world.newId();
    const first = await lostAt(0, () => saveEndpoint(world.invocation().engine, input, [], ANN, id));
    expect(await remove(world.invocation().engine, id, BEN)).toEqual(CHANGED);
    expect(await world.until(first.answer)).toMatchObject({ kind: "saved", id });
    expect(await world.sql("SELECT id FROM endpoints")).toEqual([]);
  });

  it("a form's token that was revoked stays so when the form is sent again; another form makes one of its name", async () => {
    const asked = { name: "ci", ...LEAST_RIGHTS, days: null };
    const make = (token: string, id: string) => makeToken(world.invocation().engine, asked, ANN, token, id);
    const [token, id] = [newApiToken(), world.newId()];
    for (let sent = 0; sent < 2; sent++) expect(await make(token, id)).toEqual({ kind: "made", id, token });
    expect(await revokeToken(world.invocation().engine, id, BEN)).toBe(true);
    expect(await make(token, id)).toMatchObject({ kind: "rejected", problems: [{ path: "" }] });
    expect(await world.sql("SELECT id FROM tokens")).toEqual([]);
    const next = world.newId();
    expect(await make(newApiToken(), next)).toMatchObject({ kind: "made", id: next });
    expect(await make(token, id)).toMatchObject({ kind: "rejected" });
    expect(await world.sql("SELECT id FROM tokens")).toEqual([{ id: next }]);
    expect(await world.sql("SELECT 1 FROM audit WHERE action = 'token.create'")).toHaveLength(2);
  });

  it("a form that rotated a secret does not put it back after a later rotation", async () => {
    const id = await endpoint();
    const [mine, theirs] = [newSecret(), newSecret()];
    const stands = () => world.sql("SELECT secret, previous_secret AS previous FROM endpoints WHERE id = ?", id);
    const since = await lastRotation(world.invocation().engine.store, id);
    const send = () => rotate(world.invocation().engine, id, ANN, mine, since);
    for (let sent = 0; sent < 2; sent++) expect(await send()).toEqual({ kind: "rotated", secret: mine });
    const later = await lastRotation(world.invocation().engine.store, id);
    world.now += 1_000;
    expect(await rotate(world.invocation().engine, id, BEN, theirs, later)).toMatchObject({ kind: "rotated" });
    expect(await send()).toEqual({ kind: "unchanged" });
    world.now += 2 * 86_400_000;
    expect(await send()).toEqual({ kind: "unchanged" });
    expect(await stands()).toEqual([{ secret: theirs, previous: mine }]);
  });

  it("an endpoint that was deleted does not come back with the form that saved it", async () => {
    const input = { name: "e", type: "standard", url: "https://hooks.example/in", headers: {} } as const;
    const id = world.newId();
    expect(await saveEndpoint(world.invocation().engine, input, [], ANN, id)).toMatchObject({ kind: "saved" });
    expect(await remove(world.invocation().engine, id, BEN)).toEqual(CHANGED);
    expect(await saveEndpoint(world.invocation().engine, input, [], ANN, id)).toEqual({ kind: "exists", id });
    expect(await world.sql("SELECT id FROM endpoints")).toEqual([]);
  });

  it("a requeue says so, also where the job runs already", async () => {
    const [id] = (await world.submit({ kind: "probe.permanent" })) as [string];
    await world.deliver();
    const first = await lostAt(0, () => requeue(world.invocation().engine, { id, generation: 1 }, ANN));
    const sent = world.queues.normal.messages.length;
    await world.sql(
      "UPDATE jobs SET state = 'processing', attempt = 2, token = 'a worker', sent_at = NULL, leased_at = 1, lease_until = 9e12 WHERE id = ?",
      id,
    );
    expect(await world.until(first.answer)).toEqual({ kind: "requeued", id, generation: 2 });
    expect(world.queues.normal.messages).toHaveLength(sent);
  });
});

/** Begins something whose write, after so many reads, commits and loses its reply; comes back when that has happened. */
async function lostAt<T>(reads: number, begin: () => Promise<T>): Promise<{ answer: Promise<T> }> {
  const lost = Promise.withResolvers<void>();
  let calls = 0;
  world.fault = () => {
    if (calls++ !== reads) return null;
    lost.resolve();
    return "after";
  };
  const answer = begin();
  await lost.promise;
  return { answer };
}
