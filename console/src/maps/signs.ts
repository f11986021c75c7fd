import type { Frame, Point } from './projection.ts';

/** Where the sign of a marker stands beside its dot. */
export type Side = 'right' | 'left' | 'below' | 'above';

/** A dot and the size of its sign, in pixels. Earlier ones are more important. */
export interface Dot extends Point {
  readonly width: number;
}

/** A side; without room on any side, the sign is shown for the pointer and the keyboard only. */
export interface SignPlace {
  readonly side: Side;
  readonly isHidden: boolean;
}

interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

const SIGN_HEIGHT_PX = 28;
const DOT_PX = 14;
/** Between the middle of a dot and its sign. */
const DISTANCE_PX = 10;
const SIDES: readonly Side[] = ['right', 'left', 'below', 'above'];

function boxOf({ x, y, width }: Dot, side: Side): Box {
  if (side === 'right' || side === 'left') {
    const left = side === 'right' ? x + DISTANCE_PX : x - DISTANCE_PX - width;
    return {
      left,
      right: left + width,
      top: y - SIGN_HEIGHT_PX / 2,
      bottom: y + SIGN_HEIGHT_PX / 2,
    };
  }
  const top = side === 'below' ? y + DISTANCE_PX : y - DISTANCE_PX - SIGN_HEIGHT_PX;
  return { left: x - width / 2, right: x + width / 2, top, bottom: top + SIGN_HEIGHT_PX };
}

function dotBox({ x, y }: Point): Box {
  const half = DOT_PX / 2;
  return { left: x - half, right: x + half, top: y - half, bottom: y + half };
}

function overlaps(one: Box, other: Box): boolean {
  return (
    one.left < other.right &&
    other.left < one.right &&
    one.top < other.bottom &&
    other.top < one.bottom
  );
}

/** How much of a box is outside the frame; a sign that is not cut has 0. */
function cutPx({ left, top, right, bottom }: Box, { width, height }: Frame): number {
  return (
    Math.max(0, -left) +
    Math.max(0, -top) +
    Math.max(0, right - width) +
    Math.max(0, bottom - height)
  );
}

/** The buttons in the upper right corner, with a gap around them. */
const CONTROLS = { width: 120, height: 50 };

/**
 * A place for each sign at which it covers no other sign, no dot and no button, and is not cut by the
 * frame.
 */
export function placeSigns(dots: readonly Dot[], frame: Frame): SignPlace[] {
  const { width, height } = CONTROLS;
  const taken: Box[] = [{ left: frame.width - width, top: 0, right: frame.width, bottom: height }];
  return dots.map((dot) => {
    const others = dots.filter((other) => other !== dot).map(dotBox);
    const side = SIDES.find((each) => {
      const box = boxOf(dot, each);
      const isFree = ![...taken, ...others].some((other) => overlaps(box, other));
      return isFree && cutPx(box, frame) === 0;
    });
    if (side !== undefined) {
      taken.push(boxOf(dot, side));
      return { side, isHidden: false };
    }
    const [least = 'right'] = SIDES.toSorted(
      (one, other) => cutPx(boxOf(dot, one), frame) - cutPx(boxOf(dot, other), frame),
    );
    return { side: least, isHidden: true };
  });
}
