import { type FormEvent, useState } from "react";
import { useRevalidator } from "react-router";

/**
 * Sends a small form and reads the page anew. Where no answer comes (null) the page stays as it is: the router's own way
 * would put an error in its place. Without a script the browser sends the form by itself.
 */
export function useSend<T>(onAnswer?: (answer: T | null) => void) {
  const { revalidate } = useRevalidator();
  const [sent, setSent] = useState<FormData | null>(null);

  async function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (sent) return;
    const { action } = event.currentTarget;
    const form = new FormData(event.currentTarget, (event.nativeEvent as SubmitEvent).submitter);
    setSent(form);
    const answer = await answerTo<T>(action, form);
    onAnswer?.(answer);
    if (answer !== null) await revalidate();
    setSent(null);
  }

  return { sent, onSubmit };
}

/** What the server says to a form; null: no answer, or none that can be read. */
export async function answerTo<T>(url: string, body: FormData): Promise<T | null> {
  try {
    const response = await fetch(url, { method: "POST", body, headers: { accept: "application/json" } });
    // To the sign-in page: it comes back here. Or what one may do has changed, and the page is to show it.
    if (response.redirected || response.status === 403) window.location.reload();
    return response.ok ? ((await response.json()) as T) : null;
  } catch {
    return null;
  }
}
