import { expect, test } from "vitest";
import { probes } from "~/testing/probes";
import { World } from "~/testing/world";
import { door } from "./door";
import { CLOSED, LOCAL, LOCALHOST, ORIGIN } from "./testing";

const desk = new World(probes).invocation().engine;
const enter = () => new Response("the room, which reads nothing");
const post = (at: string, body: BodyInit | null, length?: string) =>
  new Request(`${at}/jobs`, {
    method: "POST",
    body,
    headers: { Origin: at, ...(length !== undefined && { "Content-Length": length }) },
  });

test("on this machine a small body that nobody read is read to its end: the runtime would close the connection over it", async () => {
  const unread = post(LOCALHOST, "a=1", "3");
  expect((await door(unread, LOCAL, undefined, desk, enter)).status).toBe(200);
  expect(unread.bodyUsed).toBe(true);
  // Turned away at the door, too.
  const foreign = post(LOCALHOST, "a=1", "3");
  foreign.headers.set("Origin", "https://elsewhere.example");
  expect((await door(foreign, LOCAL, undefined, desk, enter)).status).toBe(403);
  expect(foreign.bodyUsed).toBe(true);
});

test("a long body, one of unknown length, and one that somebody reads are left alone; so is every body of a deployment", async () => {
  for (const length of ["1048577", undefined]) {
    const request = post(LOCALHOST, "a=1", length);
    await door(request, LOCAL, undefined, desk, enter);
    expect(request.bodyUsed).toBe(false);
  }
  const read = post(LOCALHOST, "a=1", "3");
  const response = await door(read, LOCAL, undefined, desk, async () => new Response(await read.text()));
  expect(await response.text()).toBe("a=1");
  const deployed = post(ORIGIN, "a=1", "3");
  expect((await door(deployed, CLOSED, undefined, desk, enter)).status).toBe(303);
  expect(deployed.bodyUsed).toBe(false);
});
