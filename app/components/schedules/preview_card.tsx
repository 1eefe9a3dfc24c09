import type { PreviewAnswer } from "~/domain/schedules/form";
import { Card } from "../ui/card";
import { Firings } from "./firings";

/** What the times in the form come to, in words and as firings; or what is wrong with them. */
export const PreviewCard = ({ answer, zone }: { answer: PreviewAnswer; zone: string }) => (
  <Card flush title="Preview" className="xl:sticky xl:top-6">
    <div aria-live="polite" className="px-4 py-3">
      {answer.preview ? (
        <p className="font-medium">{answer.preview.text}</p>
      ) : (
        <ul className="flex flex-col gap-1 text-kumo-danger wrap-anywhere">
          {answer.problems.map(({ path, message }) => (
            <li key={path + message}>{message}</li>
          ))}
        </ul>
      )}
    </div>
    {answer.preview && <Firings preview={answer.preview} zone={zone} />}
  </Card>
);
