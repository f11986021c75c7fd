import { type RefObject, useEffect, useRef } from 'react';
import { nowMs, useSteppedNow } from '../../runtime/index.ts';

/** A list that was not used for this long shows new alarms at once. */
const MAX_HOLD_MS = 30_000;
/** After a touch there is no pointer, but the finger may come back. */
const AFTER_TOUCH_MS = 4_000;

/** Whether a user works in the list: with the pointer over it or the focus in it, and not idle. */
export function useHold(list: RefObject<HTMLElement | null>): boolean {
  const now = useSteppedNow(1_000);
  const lastUsedMs = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    const onUse = ({ target }: Event) => {
      if (target instanceof Node && list.current?.contains(target)) lastUsedMs.current = nowMs();
    };
    const events = ['pointermove', 'pointerdown', 'keydown', 'focusin'] as const;
    for (const event of events) window.addEventListener(event, onUse, { passive: true });
    return () => {
      for (const event of events) window.removeEventListener(event, onUse);
    };
  }, [list]);
  const element = list.current;
  const isInside =
    element !== null && (element.matches(':hover') || element.contains(document.activeElement));
  const idleMs = now - lastUsedMs.current;
  return idleMs < (isInside ? MAX_HOLD_MS : AFTER_TOUCH_MS);
}
