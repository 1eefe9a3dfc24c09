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

/** A small label on tinted ground. */
export const BADGE_LOOK: Record<Tone, string> = {
  neutral: "bg-kumo-tint text-kumo-subtle ring-kumo-line",
  info: "bg-kumo-info-tint text-kumo-info ring-kumo-info/40",
  progress: "bg-kumo-info-tint text-kumo-info ring-kumo-info/40",
  success: "bg-kumo-success-tint text-kumo-success ring-kumo-success/40",
  warning: "bg-kumo-warning-tint text-kumo-warning ring-kumo-warning/40",
  danger: "bg-kumo-danger-tint text-kumo-danger ring-kumo-danger/40",
};
