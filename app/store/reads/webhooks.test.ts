import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { ALL_RIGHTS } from "~/domain/people/roles";
import { registry } from "~/kinds/registry";
import { fanOut, Receivers, saveEndpoint } from "~/testing/receivers";
import { seeing } from "~/testing/seeing";
import { stock } from "~/testing/stock";
import { World } from "~/testing/world";
import { Store } from "../store";
import { readJob } from "./job";
import { listEndpoints, readEndpoint } from "./webhooks";

test("an event's page, an endpoint's and their list read no more with 20,000 jobs stored than with none", async () => {
  const world = new World(registry);
  new Receivers(world).answer = () => new Response(null, { status: 500 });
  const endpoint = await saveEndpoint(world);
  const urls = Array.from({ length: 60 }, (_, n) => ({ url: `https://receiver.example/${n}` }));
  const id = await fanOut(world, [{ id: endpoint }, ...urls]);
  await world.deliver("long");

  const store = new Store(env.DB);
  const cost = async (read: () => Promise<unknown>) => {
    const before = store.used.rowsRead;
    await read();
    return store.used.rowsRead - before;
  };
  const costs = async () => [
    await cost(() => readJob(store, id, seeing(new Map()))),
    await cost(() => readEndpoint(store, endpoint, ALL_RIGHTS)),
    await cost(() => listEndpoints(store, ALL_RIGHTS)),
  ];
  const few = await costs();
  await stock(store, 1, 20_000);
  expect(await costs()).toEqual(few);
  expect(few[1]).toBeLessThan(10);
});
