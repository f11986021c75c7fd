import { type PointerEvent, type RefObject, useEffect, useRef } from 'react';
import { dragged, type Frame, type Point, type View, zoomed } from './projection.ts';

const WHEEL_STEP = 0.8;

interface Props {
  readonly container: RefObject<HTMLDivElement | null>;
  readonly frame: Frame;
  readonly change: (next: (view: View) => View) => void;
}

const distance = (a: Point, b: Point) => Math.hypot(a.x - b.x, a.y - b.y);

/**
 * One finger or the mouse pans the map; two fingers or Ctrl and the wheel zoom it. The wheel alone
 * scrolls the page, so that a map in a board does not block scrolling.
 */
export function useGestures({ container, frame, change }: Props) {
  const held = useRef(new Map<number, Point>());
  useEffect(() => {
    const element = container.current;
    if (!element) return undefined;
    // React's `onWheel` is passive and cannot prevent the page from zooming as well.
    const onWheel = (event: WheelEvent) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      const { left, top } = element.getBoundingClientRect();
      const at = { x: event.clientX - left, y: event.clientY - top };
      const factor = event.deltaY > 0 ? 1 / WHEEL_STEP : WHEEL_STEP;
      change((view) => zoomed(view, factor, at, frame));
    };
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => element.removeEventListener('wheel', onWheel);
  }, [container, frame, change]);

  const letGo = ({ pointerId }: PointerEvent) => void held.current.delete(pointerId);
  return {
    onPointerDown({ pointerId, clientX, clientY }: PointerEvent) {
      held.current.set(pointerId, { x: clientX, y: clientY });
    },
    onPointerMove({ pointerId, clientX, clientY, currentTarget }: PointerEvent) {
      const before = held.current.get(pointerId);
      if (!before) return;
      const now = { x: clientX, y: clientY };
      held.current.set(pointerId, now);
      const other = [...held.current].find(([id]) => id !== pointerId)?.[1];
      if (!other) {
        change((view) => dragged(view, now.x - before.x, now.y - before.y, frame));
        return;
      }
      const { left, top } = currentTarget.getBoundingClientRect();
      const at = { x: (now.x + other.x) / 2 - left, y: (now.y + other.y) / 2 - top };
      const factor = distance(before, other) / Math.max(1, distance(now, other));
      change((view) => zoomed(view, factor, at, frame));
    },
    onPointerUp: letGo,
    onPointerCancel: letGo,
    onPointerLeave: letGo,
  };
}
