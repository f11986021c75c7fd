import { useEffect } from 'react';

/** Later than Mantine returns the focus, and than the data that closes a dialog is on the screen. */
const DELAY_MS = 20;

/**
 * Keeps the place of a user without a mouse when the action of a dialog removes the button that
 * opened it: the focus goes to the button's row, without that to one beside it, or to the page.
 */
export function useFocusAfter(isOpen: boolean): void {
  useEffect(() => {
    if (!isOpen) return undefined;
    const opener = document.activeElement;
    const rows = rowsFrom(opener);
    return () => {
      const last = document.activeElement;
      setTimeout(() => {
        const isMoved = ![document.body, last].includes(document.activeElement);
        if (isMoved || opener?.isConnected) return;
        const row = rows.find(({ isConnected }) => isConnected);
        const target = row ? targetIn(row) : null;
        (target ?? document.querySelector('main'))?.focus();
      }, DELAY_MS);
    };
  }, [isOpen]);
}

/** The row of an element, then those after it and those before it, nearest first. */
function rowsFrom(element: Element | null): Element[] {
  const row = element?.closest('li, tr');
  const all = [...(row?.parentElement?.children ?? [])];
  const at = row ? all.indexOf(row) : 0;
  return [...all.slice(at), ...all.slice(0, at).reverse()];
}

/** The link of a row's record, or the first control. */
function targetIn(row: Element): HTMLElement | null {
  return row.querySelector<HTMLElement>('a[href]') ?? row.querySelector('button, input');
}
