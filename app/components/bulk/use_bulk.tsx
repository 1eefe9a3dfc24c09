import { type ComponentProps, type ComponentType, type ReactNode, useState } from "react";
import { useRevalidator } from "react-router";
import type { Beside } from "~/domain/bulk/beside";
import { type BulkFilter, confirmFor, reasonsOf } from "~/domain/bulk/bulk";
import { count } from "~/domain/format";
import { idSource } from "~/domain/ids";
import { answerTo } from "../send";
import { useSay } from "../shell/toasts";
import { useServerNow } from "../time/now";
import type { ConfirmDialog } from "./confirm_dialog";
import type { Answer, Question } from "./question";

/** Named jobs, each group in the list where it was ticked: its jobs must match that filter still. */
export type Group = { from: BulkFilter | null; ids: string[] };
type Asked = { question: Question; groups: Group[]; id: string; onDone?: () => void };
type Dialog = ComponentType<ComponentProps<typeof ConfirmDialog>>;

const NO_ANSWER = "The server did not answer. It may have been done: look, or press again, which is safe.";

/**
 * Asks as much as the number of jobs demands, sends, and tells what the server has done. `dialog` is to be drawn.
 * `besideOf`: what is said beside a question. `onStarted`: an operation runs by itself now.
 */
export function useBulk(besideOf: (question: Question) => Beside[], onStarted?: (operation: string) => void) {
  const say = useSay();
  const { revalidate } = useRevalidator();
  const serverNow = useServerNow();
  const [Dialog, setDialog] = useState<Dialog | null>(null);
  const [asked, setAsked] = useState<Asked | null>(null);
  const [sending, setSending] = useState<Asked | null>(null);
  const [problem, setProblem] = useState<string | null>(null);

  async function ask(question: Question, groups: Group[], onDone?: () => void) {
    if (sending) return;
    const next = { question, groups, id: idSource(serverNow)(), onDone };
    setProblem(null);
    if (confirmFor(question.action, question.n) === "none") return send(next, null);
    try {
      if (!Dialog) {
        const { ConfirmDialog } = await import("./confirm_dialog");
        setDialog(() => ConfirmDialog);
      }
      setAsked(next);
    } catch {
      say({ code: "no-answer", jobId: null });
    }
  }

  async function send(what: Asked, fields: FormData | null) {
    setSending(what);
    setProblem(null);
    const answers: (Answer | null)[] = [];
    for (const call of callsOf(what, fields)) answers.push(await answerTo<Answer>("/bulk/send", call));
    const trouble = troubleIn(answers);
    const recounted = answers.find((answer) => answer?.kind === "recounted");
    const gone = recounted?.expected === 0;
    if (trouble && !gone) {
      setProblem(trouble);
      if (!fields) say({ code: "no-answer", jobId: null });
      if (recounted) setAsked({ ...what, question: { ...what.question, n: recounted.expected } });
    } else {
      if (gone) say({ code: "bulk-gone", jobId: null });
      else tell(what, answers as Answer[]);
      setAsked(null);
      what.onDone?.();
      await revalidate();
    }
    setSending(null);
  }

  function tell({ question: { action } }: Asked, answers: Answer[]) {
    const started = answers.find((answer) => answer.kind === "started");
    if (started?.kind === "started") {
      say({ code: "bulk-started", jobId: null, action, expected: started.expected, operation: started.operation });
      return onStarted?.(started.operation);
    }
    const done = answers.filter((answer) => answer.kind === "done");
    const changed = done.reduce((sum, answer) => sum + answer.changed, 0);
    say({
      code: "bulk-done",
      jobId: null,
      action,
      changed,
      skipped: reasonsOf(done.flatMap(({ skipped }) => skipped)),
    });
  }

  const dialog: ReactNode = asked && Dialog && (
    <Dialog
      key={`${asked.id} ${asked.question.n}`}
      question={asked.question}
      beside={besideOf(asked.question)}
      problem={problem}
      sending={sending !== null}
      onSubmit={(fields) => void send(asked, fields)}
      onClose={() => setAsked(null)}
    />
  );
  return { ask, dialog, sending: sending && sendingOf(sending) };
}

/** What an action is under way on. */
const sendingOf = ({ question, groups }: Asked) => ({
  all: question.filter !== null,
  ids: new Set(groups.flatMap(({ ids }) => ids)),
});

function callsOf({ question, groups, id }: Asked, fields: FormData | null): FormData[] {
  const base = (filter: BulkFilter | null) => {
    const call = new FormData();
    call.set("action", question.action);
    call.set("confirmed", "yes");
    for (const [name, value] of Object.entries(filter ?? {})) call.set(name, value);
    for (const name of ["reason", "pace", "confirm"]) {
      const value = fields ? fields.get(name) : name === "reason" ? question.reason : null;
      if (typeof value === "string" && value.trim() !== "") call.set(name, value);
    }
    return call;
  };
  if (question.filter) {
    const call = base(question.filter);
    call.set("operation", id);
    return [call];
  }
  return groups.map(({ from, ids }) => {
    const call = base(from);
    for (const one of ids) call.append("id", one);
    return call;
  });
}

/** The first thing that went wrong, in words. */
function troubleIn(answers: (Answer | null)[]): string | null {
  for (const answer of answers) {
    if (answer === null) return NO_ANSWER;
    if (answer.kind === "refused") return answer.message;
    if (answer.kind === "recounted") return `Not done: ${count(answer.expected)} match by now. Type that number.`;
  }
  return null;
}
