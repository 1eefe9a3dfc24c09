import type { Reading } from "~/domain/files/files";

export type Answer = { status: number; body: unknown };
/** One request. `onSent` is told how much of its body has gone out. Rejects where no answer came. */
export type Send = (
  method: string,
  path: string,
  body: Blob | string | null,
  signal: AbortSignal,
  onSent?: (bytes: number) => void,
) => Promise<Answer>;

type Upload = {
  reading: Reading;
  signal: AbortSignal;
  onSent: (bytes: number) => void;
  send?: Send;
  wait?: (ms: number, signal: AbortSignal) => Promise<void>;
};

const TRIES = 6;
const FIRST_WAIT_MS = 500;

/** Sends a file in parts, each again where it did not get through, and answers the id of the job that reads it. */
export async function uploadFile(file: File, upload: Upload): Promise<string> {
  const { onSent } = upload;
  const asked = JSON.stringify({ name: file.name, size: file.size, ...upload.reading });
  const begun = (await insist(upload, "POST", "/api/v1/files", asked)) as {
    id: string;
    partBytes: number;
    parts: number;
  };
  const path = `/api/v1/files/${begun.id}`;
  try {
    for (let number = 1; number <= begun.parts; number++) {
      const from = (number - 1) * begun.partBytes;
      const part = file.slice(from, from + begun.partBytes);
      await insist(upload, "PUT", `${path}/parts/${number}`, part, (bytes) => onSent(from + bytes));
      onSent(from + part.size);
    }
  } catch (error) {
    // What has come of it would lie there for a day. This is only politeness, so nobody waits for it.
    void (upload.send ?? sendByXhr)("POST", `${path}/delete`, null, new AbortController().signal).catch(() => {});
    throw error;
  }
  return ((await insist(upload, "POST", `${path}/complete`, null)) as { jobId: string }).jobId;
}

async function insist(
  { signal, send = sendByXhr, wait = sleep }: Upload,
  method: string,
  path: string,
  body: Blob | string | null,
  onSent?: (bytes: number) => void,
): Promise<unknown> {
  for (let tries = 1; ; tries++) {
    const answer = await send(method, path, body, signal, onSent).catch((error) => {
      if (signal.aborted) throw error;
      return null;
    });
    if (answer && answer.status < 300) return answer.body;
    const again = answer === null || answer.status >= 500;
    if (!again || tries === TRIES) throw new Error(problemText(answer));
    await wait(FIRST_WAIT_MS * 2 ** (tries - 1), signal);
  }
}

function problemText(answer: Answer | null): string {
  if (!answer) return "The server does not answer.";
  const { detail } = (answer.body ?? {}) as { detail?: string };
  return detail ?? `The server answered ${answer.status}.`;
}

/** Unlike `fetch`, it tells how much has been sent. */
const sendByXhr: Send = (method, path, body, signal, onSent) =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const stop = () => request.abort();
    request.open(method, path);
    request.responseType = "json";
    if (typeof body === "string") request.setRequestHeader("Content-Type", "application/json");
    if (onSent) request.upload.addEventListener("progress", ({ loaded }) => onSent(loaded));
    request.addEventListener("load", () => resolve({ status: request.status, body: request.response }));
    for (const end of ["error", "abort", "timeout"]) request.addEventListener(end, () => reject(new Error(end)));
    request.addEventListener("loadend", () => signal.removeEventListener("abort", stop));
    signal.addEventListener("abort", stop);
    request.send(body);
  });

const sleep = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
