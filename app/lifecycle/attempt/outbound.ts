import { PermanentError } from "~/domain/errors";
import { outboundProblem } from "~/domain/outbound";
import type { OutgoingInit } from "~/kinds/define";
import type { Engine } from "../engine";
import type { Places } from "./places";

/**
 * A job's way out. Asks the outbound rules again (they may have changed since the submit), waits for one of the
 * invocation's places, and holds it until the body is read or cancelled: an unread body keeps its connection.
 * `timeoutMs` counts from when the place is ours to the end of the body. `close` cancels what the handler left unread.
 */
export function outboundFor(engine: Engine, places: Places, signal: AbortSignal) {
  const open = new Set<() => void>();

  async function fetchOutside(url: string, { timeoutMs, ...init }: OutgoingInit = {}): Promise<Response> {
    const problem = outboundProblem(url, engine.settings.outbound);
    if (problem) throw new PermanentError(`the URL ${problem}`);
    const leave = await places.take(signal);
    const late = new AbortController();
    const inTime =
      timeoutMs === undefined ? () => {} : engine.after(timeoutMs, () => late.abort(new NoAnswer(timeoutMs)));
    const done = () => {
      inTime();
      leave();
    };
    try {
      const all = AbortSignal.any([signal, late.signal, ...(init.signal ? [init.signal] : [])]);
      const response = await Promise.race([engine.fetch(url, { ...init, signal: all }), aborted(late.signal)]);
      if (response.body === null) {
        done();
        return response;
      }
      return new Response(watch(response.body, late.signal, done), response);
    } catch (error) {
      done();
      throw late.signal.aborted ? late.signal.reason : error;
    }
  }

  function watch(body: ReadableStream<Uint8Array>, late: AbortSignal, done: () => void): ReadableStream<Uint8Array> {
    const reader = body.getReader();
    const stop = () => {
      open.delete(stop);
      done();
      reader.cancel().catch(() => {});
    };
    open.add(stop);
    return new ReadableStream({
      async pull(controller) {
        try {
          const { done: ended, value } = await Promise.race([reader.read(), aborted(late)]);
          if (!ended) return controller.enqueue(value);
        } catch (error) {
          stop();
          throw late.aborted ? late.reason : error;
        }
        controller.close();
        stop();
      },
      cancel: stop,
    });
  }

  return {
    fetch: fetchOutside,
    close: () => {
      for (const stop of open) stop();
    },
  };
}

class NoAnswer extends Error {
  constructor(ms: number) {
    super(`no answer within ${ms / 1000} s`);
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  const promise = new Promise<never>((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
  // Who wins the race does not look back.
  promise.catch(() => {});
  return promise;
}
