/** The pages that the menu leads to; `key`: the letter that leads there after `g`. A new one needs an icon in the menu. */
export const PAGES = [
  { to: "/", label: "Overview", key: "o" },
  { to: "/jobs", label: "Jobs", key: "j" },
  { to: "/dead", label: "Dead", key: "d" },
  { to: "/submit", label: "Submit", key: "s" },
  { to: "/kinds", label: "Kinds", key: "k" },
  { to: "/operations", label: "Operations", key: "p" },
  { to: "/activity", label: "Activity", key: "y" },
  { to: "/files", label: "Files", key: "f" },
  { to: "/schedules", label: "Schedules", key: "c" },
  { to: "/watches", label: "Watches", key: "w" },
  { to: "/reports", label: "Reports", key: "r" },
  { to: "/mail", label: "Mail", key: "m" },
  { to: "/endpoints", label: "Endpoints", key: "e" },
  { to: "/alerts", label: "Alerts", key: "a" },
  { to: "/settings", label: "Settings", key: "t" },
] as const;

export type PagePath = (typeof PAGES)[number]["to"];

/** Whether it stands in the frame of the dashboard. Reports are pages for everybody, without a script: the browser itself goes there. */
export const hasFrame = (to: string): boolean => to !== "/reports";
