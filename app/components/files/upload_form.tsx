import { type FormEvent, useId } from "react";
import { FILE_BYTES, FORM_BYTES, type Reading, readingOf } from "~/domain/files/files";
import { bytesText } from "~/domain/format";
import { Banner } from "../ui/banner";
import { Button } from "../ui/button";
import { Card } from "../ui/card";
import { Field, INPUT } from "../ui/field";
import { ReadingFields } from "./reading_fields";

type State = { kind: "idle" } | { kind: "sending"; sent: number; size: number } | { kind: "failed"; message: string };
type Props = {
  state: State;
  /** What was wrong with a form that was sent without a script. */
  wrong: string | null;
  onStart: (file: File, reading: Reading) => void;
  onFail: (message: string) => void;
  onCancel: () => void;
};

/** With a script the file goes in parts, and its progress is shown; without one this is a form like any other. */
export function UploadForm({ state, wrong, onStart, onFail, onCancel }: Props) {
  const id = useId();
  const sending = state.kind === "sending";
  const failed = state.kind === "failed" ? state.message : state.kind === "idle" ? wrong : null;

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    if (sending) return;
    const form = new FormData(event.currentTarget);
    const file = form.get("file") as File;
    const reading = readingOf(Object.fromEntries(form));
    if (!file.name) onFail("Choose a file first.");
    else if (file.size > FILE_BYTES)
      onFail(`${file.name} has ${bytesText(file.size)}: at most ${bytesText(FILE_BYTES)} are taken.`);
    else if (reading) onStart(file, reading);
  }

  return (
    <Card title="Upload a file">
      <form method="post" encType="multipart/form-data" onSubmit={submit} className="flex flex-col gap-5">
        <ReadingFields id={id} />
        <Field
          id={`${id}-file`}
          label="File"
          hint={
            <>
              <noscript>
                <span>Without a script up to {bytesText(FORM_BYTES)}. </span>
              </noscript>
              Up to {bytesText(FILE_BYTES)}. It is read as soon as it has arrived.
            </>
          }
        >
          {(ids) => (
            <input {...ids} type="file" name="file" required disabled={sending} className={`${INPUT} h-auto py-1.5`} />
          )}
        </Field>
        {failed && (
          <Banner role="alert" tone="danger" title="Not uploaded">
            {failed}
          </Banner>
        )}
        {sending && <Sending sent={state.sent} size={state.size} />}
        <div className="flex flex-wrap gap-2">
          <Button type="submit" variant="primary" aria-disabled={sending}>
            {sending ? "Uploading…" : "Upload and process"}
          </Button>
          {sending && <Button onClick={onCancel}>Cancel</Button>}
        </div>
      </form>
    </Card>
  );
}

function Sending({ sent, size }: { sent: number; size: number }) {
  const percent = size === 0 ? 100 : Math.floor((Math.min(sent, size) / size) * 100);
  return (
    <div className="flex flex-col gap-1">
      <progress
        value={percent}
        max={100}
        aria-label="Upload"
        className="h-2 w-full overflow-hidden rounded-full accent-kumo-brand"
      />
      <p className="text-sm text-kumo-subtle tabular-nums">
        {bytesText(Math.min(sent, size))} of {bytesText(size)}, {percent} %
      </p>
    </div>
  );
}
