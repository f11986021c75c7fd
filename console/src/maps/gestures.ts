import { type PointerEvent, type RefObject, useEffect, useRef } from 'react';
import { dragged, type Frame, type Point, type View, zoomed } from './projection.ts';

const WHEEL_STEP = 0.8;

interface Given {
  readonly place: RefObject<HTMLDivElement | null>;
  readonly frame: Frame;
  readonly change: (next: (view: View) => View) => void;
}

const distance = (a: Point, b: Point) => Math.hypot(a.x - b.x, a.y - b.y);

/**
 * One finger or the mouse moves the map, two fingers or the wheel with Ctrl zoom it. The wheel alone
 * scrolls the page: a map in a board must not be a trap.
 */
export function useGestures({ place, frame, change }: Given) {
  const held = useRef(new Map<number, Point>());
  useEffect(() => {
    const element = place.current;
    if (!element) return undefined;
    // Not by a prop of React: it listens passively, and the page would zoom as well.
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
  }, [place, frame, change]);

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
