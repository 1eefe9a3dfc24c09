/** What keys do to the page as it stands. Each tells whether there was anything to do it to. */

/** Where letters are text, or choose. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement)
    return true;
  return target instanceof HTMLInputElement && !["checkbox", "radio", "button", "submit"].includes(target.type);
}

/** Rows that can be opened, of all lists on the page. */
const rows = (): HTMLElement[] =>
  [...document.querySelectorAll<HTMLElement>("main tbody tr")].filter((row) => linkOf(row)?.checkVisibility());
const linkOf = (row: Element | undefined) => row?.querySelector<HTMLElement>("td a[href]");
const current = (all: HTMLElement[]): number => all.findIndex((row) => row.contains(document.activeElement));

export function moveRow(by: 1 | -1): boolean {
  const all = rows();
  const at = current(all);
  const next = at < 0 ? (by > 0 ? 0 : all.length - 1) : Math.min(Math.max(at + by, 0), all.length - 1);
  const link = linkOf(all[next]);
  link?.focus();
  return link != null;
}

export function pickRow(range: boolean): boolean {
  const all = rows();
  const box = all[current(all)]?.querySelector<HTMLInputElement>("input[type=checkbox]");
  box?.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, shiftKey: range }));
  return box != null;
}

export function goBack(): boolean {
  const link = document.querySelector<HTMLElement>("main nav[aria-label=Breadcrumb] a[href]");
  link?.click();
  return link !== null;
}

/** Of the row that has the focus, or of the job whose page this is. */
export function pressRequeue(): boolean {
  const all = rows();
  const row = all[current(all)];
  const button = row
    ? row.querySelector<HTMLElement>("[data-requeue]")
    : document.querySelector<HTMLElement>("main [data-requeue]:not(tr *)");
  button?.focus();
  button?.click();
  return button != null;
}

export function toFilter(): boolean {
  const box = document.querySelector<HTMLElement>("main [data-filter]");
  box?.focus();
  return box !== null;
}

/** The row of a job that was just left: the list is gone on with from there. */
export function toRow(job: string): boolean {
  const link = linkOf(rows().find((row) => row.dataset.job === job));
  link?.focus({ preventScroll: true });
  return link != null;
}
