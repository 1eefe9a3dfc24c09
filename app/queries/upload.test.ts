import { describe, expect, it } from "vitest";
import { type Answer, type Send, uploadFile } from "./upload";

const reading = { format: "auto", delimiter: ";", strict: true } as const;
const file = new File(["0123456789"], "rows.csv");

/** A server of parts of four bytes; `answers` says what else happens to a request, by its turn. */
function serverOf(answers: Record<number, Answer | "lost"> = {}) {
  const asked: string[] = [];
  const bodies: unknown[] = [];
  const send: Send = async (method, path, body, signal, onSent) => {
    const turn = asked.push(`${method} ${path.replace("/api/v1/files", "")}`);
    bodies.push(body instanceof Blob ? await body.text() : body);
    if (signal.aborted) throw new Error("abort");
    onSent?.(1);
    const other = answers[turn];
    if (other === "lost") throw new Error("error");
    if (other) return other;
    if (path.endsWith("/files")) return { status: 201, body: { id: "f", partBytes: 4, parts: 3 } };
    return path.endsWith("/complete") ? { status: 202, body: { jobId: "j" } } : { status: 200, body: {} };
  };
  return { asked, bodies, send };
}

function upload(server: ReturnType<typeof serverOf>, signal = new AbortController().signal) {
  const waited: number[] = [];
  const sent: number[] = [];
  const done = uploadFile(file, {
    reading,
    signal,
    send: server.send,
    onSent: (bytes) => sent.push(bytes),
    wait: async (ms) => void waited.push(ms),
  });
  return { done, waited, sent };
}

describe("an upload from the browser", () => {
  it("sends a file in parts, in order, tells how far it is, and answers the job", async () => {
    const server = serverOf();
    const { done, sent, waited } = upload(server);
    expect(await done).toBe("j");
    expect(server.asked).toEqual(["POST ", "PUT /f/parts/1", "PUT /f/parts/2", "PUT /f/parts/3", "POST /f/complete"]);
    expect(server.bodies.slice(1, 4)).toEqual(["0123", "4567", "89"]);
    expect(JSON.parse(server.bodies[0] as string)).toEqual({
      name: "rows.csv",
      size: 10,
      format: "auto",
      delimiter: ";",
      strict: true,
    });
    expect(sent).toEqual([1, 4, 5, 8, 9, 10]);
    expect(waited).toEqual([]);
  });

  it("sends again what got no answer, or 5xx, waiting longer each time", async () => {
    const server = serverOf({ 1: "lost", 3: "lost", 4: { status: 503, body: {} }, 8: "lost" });
    const { done, waited } = upload(server);
    expect(await done).toBe("j");
    expect(server.asked).toEqual([
      "POST ",
      "POST ",
      "PUT /f/parts/1",
      "PUT /f/parts/1",
      "PUT /f/parts/1",
      "PUT /f/parts/2",
      "PUT /f/parts/3",
      "POST /f/complete",
      "POST /f/complete",
    ]);
    expect(waited).toEqual([500, 500, 1_000, 500]);
  });

  it("gives up after six tries of one request, says what the server said, and takes away what came of it", async () => {
    const trouble = { status: 503, body: { detail: "the database does not answer" } };
    const server = serverOf(Object.fromEntries([2, 3, 4, 5, 6, 7].map((turn) => [turn, trouble])));
    await expect(upload(server).done).rejects.toThrow("the database does not answer");
    expect(server.asked.slice(-2)).toEqual(["PUT /f/parts/1", "POST /f/delete"]);
    expect(server.asked.length).toBe(8);
  });

  it("does not send again what was refused", async () => {
    const refused = { status: 413, body: { detail: "the file has 3 bytes, at most 2 are taken" } };
    const server = serverOf({ 1: refused });
    await expect(upload(server).done).rejects.toThrow("the file has 3 bytes, at most 2 are taken");
    expect(server.asked).toEqual(["POST "]);
    const gone = serverOf({ 3: { status: 409, body: null } });
    await expect(upload(gone).done).rejects.toThrow("The server answered 409.");
    expect(gone.asked.at(-1)).toBe("POST /f/delete");
  });

  it("keeps a file that is stored but whose job was refused", async () => {
    const server = serverOf({ 5: { status: 429, body: { detail: "the day is full" } } });
    await expect(upload(server).done).rejects.toThrow("the day is full");
    expect(server.asked.at(-1)).toBe("POST /f/complete");
  });

  it("stops when it is cancelled, and takes away what came of it", async () => {
    const server = serverOf();
    const controller = new AbortController();
    const send: Send = (...args) => {
      if (args[1].endsWith("/parts/2")) controller.abort();
      return server.send(...args);
    };
    await expect(upload({ ...server, send }, controller.signal).done).rejects.toThrow();
    expect(server.asked).toEqual(["POST ", "PUT /f/parts/1", "PUT /f/parts/2", "POST /f/delete"]);
  });
});
