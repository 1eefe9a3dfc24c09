export type Pressable = { name: string; press: () => void };

/** What can be pressed on the page as it stands: of the row that has the focus first, of other rows nothing. */
export function buttonsHere(): Pressable[] {
  const row = document.activeElement?.closest("tr") ?? null;
  const all = [...document.querySelectorAll<HTMLElement>("main :is(button, summary, a[data-button])")].filter(
    (one) =>
      one.ariaDisabled !== "true" &&
      [null, row].includes(one.closest("tr")) &&
      one.checkVisibility({ visibilityProperty: true }),
  );
  const named = all.map((one) => ({ name: nameOf(one), inRow: one.closest("tr") !== null, press: () => one.click() }));
  // One name for two of them says of neither which it is.
  const told = named.filter(({ name }) => name && named.filter((other) => other.name === name).length === 1);
  return told.sort((a, b) => Number(b.inRow) - Number(a.inRow));
}

const nameOf = (element: HTMLElement): string => (element.ariaLabel ?? element.textContent).trim().replace(/\s+/g, " ");
