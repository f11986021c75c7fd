import { useNavigate } from '@tanstack/react-router';
import type { MouseEvent } from 'react';

/** Elements in a row that a click is meant for. */
const INTERACTIVE = 'a, button, input, label, select, textarea, summary, [role="button"]';

/** Whether a click is on the row itself: not on a control, not in a dialog, not the end of a selection of text. */
function isOnRow({ target, currentTarget }: MouseEvent<HTMLElement>): boolean {
  if (!(target instanceof Element) || !currentTarget.contains(target)) return false;
  const isMarkingText = window.getSelection()?.isCollapsed === false;
  return target.closest(INTERACTIVE) === null && !isMarkingText;
}

const MIDDLE_BUTTON = 1;

/**
 * Handlers by which a click anywhere on a row opens the page of its record, as a click on its link
 * does. The keyboard and screen readers use that link.
 */
export function useRowClick() {
  const navigate = useNavigate();
  return (href: string) => ({
    onClick: (event: MouseEvent<HTMLElement>) => {
      if (!isOnRow(event)) return;
      if (event.ctrlKey || event.metaKey) window.open(href, '_blank', 'noopener');
      else if (!event.shiftKey && !event.altKey) void navigate({ to: href });
    },
    onAuxClick: (event: MouseEvent<HTMLElement>) => {
      if (event.button === MIDDLE_BUTTON && isOnRow(event)) {
        window.open(href, '_blank', 'noopener');
      }
    },
    // The middle button would start to scroll.
    onMouseDown: (event: MouseEvent<HTMLElement>) => {
      if (event.button === MIDDLE_BUTTON && isOnRow(event)) event.preventDefault();
    },
  });
}
