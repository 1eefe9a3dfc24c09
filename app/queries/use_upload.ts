import { useEffect, useRef, useState } from "react";
import type { Reading } from "~/domain/files/files";
import { uploadFile } from "./upload";

export type UploadState =
  | { kind: "idle" }
  | { kind: "sending"; sent: number; size: number }
  | { kind: "failed"; message: string };

/** One upload of this page. Leaving the page meanwhile is asked about; leaving it all the same gives the upload up. */
export function useUpload(onDone: (jobId: string) => void) {
  const [state, setState] = useState<UploadState>({ kind: "idle" });
  const running = useRef<AbortController | null>(null);
  const done = useRef(onDone);
  done.current = onDone;

  const sending = state.kind === "sending";
  useEffect(() => {
    if (!sending) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, [sending]);
  useEffect(() => () => running.current?.abort(), []);

  async function start(file: File, reading: Reading): Promise<void> {
    const controller = new AbortController();
    const { signal } = controller;
    running.current = controller;
    setState({ kind: "sending", sent: 0, size: file.size });
    try {
      const jobId = await uploadFile(file, {
        reading,
        signal,
        onSent: (sent) => signal.aborted || setState({ kind: "sending", sent, size: file.size }),
      });
      setState({ kind: "idle" });
      done.current(jobId);
    } catch (error) {
      setState(signal.aborted ? { kind: "idle" } : { kind: "failed", message: (error as Error).message });
    }
  }

  return {
    state,
    start,
    fail: (message: string) => setState({ kind: "failed", message }),
    cancel: () => running.current?.abort(),
  };
}
