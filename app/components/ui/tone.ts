import type { Tone } from "~/domain/states";

/** The one place where a tone becomes colours. */
export const DOT: Record<Tone, string> = {
  neutral: "bg-kumo-badge-neutral",
  info: "bg-kumo-info",
  progress: "bg-kumo-info pulse-dot",
  success: "bg-kumo-success",
  warning: "bg-kumo-warning",
  danger: "bg-kumo-danger",
};

export const BADGE = {
  neutral: "secondary",
  info: "info",
  progress: "info",
  success: "success",
  warning: "warning",
  danger: "error",
} as const satisfies Record<Tone, string>;

export const TEXT: Record<Tone, string> = {
  neutral: "text-kumo-default",
  info: "text-kumo-info",
  progress: "text-kumo-info",
  success: "text-kumo-success",
  warning: "text-kumo-warning",
  danger: "text-kumo-danger",
};
