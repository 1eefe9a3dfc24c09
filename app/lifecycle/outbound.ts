import { PermanentError } from "~/domain/errors";
import { outboundProblem } from "~/domain/outbound";
import type { Engine } from "./engine";
import type { Places } from "./places";

/**
 * A job's way out. Asks the outbound rules again (they may have changed since the submit), waits for one of the
 * invocation's places, and holds it until the body is read or cancelled: an unread body keeps its connection.
 * `close` cancels what the handler left unread.
 */
export function outboundFor(engine: Engine, places: Places, signal: AbortSignal) {
  const open = new Set<() => void>();

  async function fetchOutside(url: string, init: RequestInit = {}): Promise<Response> {
    const problem = outboundProblem(url, engine.settings.outbound);
    if (problem) throw new PermanentError(`the URL ${problem}`);
    const done = await places.take(signal);
    try {
      const both = init.signal ? AbortSignal.any([signal, init.signal]) : signal;
      const response = await engine.fetch(url, { ...init, signal: both });
      if (response.body === null) {
        done();
        return response;
      }
      return new Response(watch(response.body, done), response);
    } catch (error) {
      done();
      throw error;
    }
  }

  function watch(body: ReadableStream<Uint8Array>, done: () => void): ReadableStream<Uint8Array> {
    const reader = body.getReader();
    const stop = () => {
      open.delete(stop);
      done();
      reader.cancel().catch(() => {});
    };
    open.add(stop);
    return new ReadableStream({
      async pull(controller) {
        const { done: ended, value } = await reader.read();
        if (!ended) return controller.enqueue(value);
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
