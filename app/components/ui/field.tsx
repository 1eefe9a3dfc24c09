import { inputVariants } from "@cloudflare/kumo/components/input";
import type { ReactNode } from "react";

export const INPUT = `${inputVariants({ focusIndicator: true })} w-full aria-invalid:ring-kumo-danger focus-visible:outline-none`;
export const SMALL_INPUT = `${inputVariants({ size: "sm", focusIndicator: true })} h-7 w-full aria-invalid:ring-kumo-danger focus-visible:outline-none`;
export const BOX = "size-4 cursor-pointer accent-kumo-brand";
export const SELECT = `${inputVariants({ size: "sm", focusIndicator: true })} max-w-56 pr-1 h-7`;
export const TEXTAREA = `${inputVariants({ focusIndicator: true })} h-auto w-full py-2 font-mono text-sm leading-5 aria-invalid:ring-kumo-danger focus-visible:outline-none`;

export type FieldIds = { id: string; "aria-describedby": string | undefined; "aria-invalid": boolean | undefined };

/** A label, what is expected, what was wrong: tied together in the markup itself, so that no script is needed. */
export function Field(props: {
  id: string;
  label: string;
  hint?: ReactNode;
  errors?: string[];
  optional?: boolean;
  className?: string;
  children: (ids: FieldIds) => ReactNode;
}) {
  const { id, label, hint, errors = [], optional, className = "", children } = props;
  const wrong = errors.length > 0;
  const described = [hint ? `${id}-hint` : "", wrong ? `${id}-error` : ""].filter(Boolean).join(" ");
  return (
    <div className={`flex min-w-0 flex-col gap-1.5 ${className}`}>
      <label htmlFor={id} className="text-base font-medium text-kumo-default">
        {label} {optional && <span className="font-normal text-kumo-subtle">(optional)</span>}
      </label>
      {children({ id, "aria-describedby": described || undefined, "aria-invalid": wrong || undefined })}
      {wrong && (
        <ul id={`${id}-error`} className="flex flex-col gap-0.5 text-sm text-kumo-danger wrap-anywhere">
          {errors.map((error) => (
            <li key={error}>{error}</li>
          ))}
        </ul>
      )}
      {hint && (
        <p id={`${id}-hint`} className="text-sm text-kumo-subtle">
          {hint}
        </p>
      )}
    </div>
  );
}
