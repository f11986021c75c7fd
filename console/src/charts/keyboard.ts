import { endingNow, type Range } from './range.ts';

export interface ChartPosition {
  readonly range: Range;
  /** The time of the crosshair, if there is one. */
  readonly cursorMs: number | null;
  readonly nowMs: number;
}

/** What a key does to a chart. */
export type ChartAction =
  | { readonly kind: 'move'; readonly ms: number }
  | { readonly kind: 'show'; readonly range: Range }
  | { readonly kind: 'leave' }
  | { readonly kind: 'reset' };

type Pressed = Pick<KeyboardEvent, 'key' | 'shiftKey' | 'ctrlKey' | 'altKey' | 'metaKey'>;

/** The crosshair moves by this share of the range, with Ctrl by ten of them. */
const STEP_SHARE = 1 / 100;
const PAN_SHARE = 1 / 4;
const MIN_RANGE_MS = 1_000;

/** Arrows move the crosshair, with Shift the range; + and - zoom; Escape leaves, then resets. */
export function chartAction(pressed: Pressed, at: ChartPosition): ChartAction | null {
  const { key, shiftKey, ctrlKey, altKey, metaKey } = pressed;
  if (altKey || metaKey) return null;
  const { startMs, endMs } = at.range;
  const lengthMs = endMs - startMs;
  switch (key) {
    case 'ArrowLeft':
    case 'ArrowRight': {
      const direction = key === 'ArrowLeft' ? -1 : 1;
      if (shiftKey) return panned(at, direction * lengthMs * PAN_SHARE);
      const from = at.cursorMs ?? (direction > 0 ? startMs : endMs);
      return moved(at, from + direction * lengthMs * STEP_SHARE * (ctrlKey ? 10 : 1));
    }
    case 'Home':
      return moved(at, startMs);
    case 'End':
      return moved(at, endMs);
    case '+':
    case '=':
      return zoomed(at, 1 / 2);
    case '-':
      return zoomed(at, 2);
    case 'Escape':
      return { kind: at.cursorMs === null ? 'reset' : 'leave' };
    default:
      return null;
  }
}

function moved({ range: { startMs, endMs } }: ChartPosition, ms: number): ChartAction {
  return { kind: 'move', ms: Math.round(Math.min(endMs, Math.max(startMs, ms))) };
}

function panned({ range: { startMs, endMs }, nowMs }: ChartPosition, byMs: number): ChartAction {
  return shown({ startMs: startMs + byMs, endMs: endMs + byMs }, nowMs);
}

/** Around the crosshair, or around the middle without one. */
function zoomed({ range, cursorMs, nowMs }: ChartPosition, factor: number): ChartAction | null {
  const { startMs, endMs } = range;
  const lengthMs = (endMs - startMs) * factor;
  if (lengthMs < MIN_RANGE_MS) return null;
  const centre = cursorMs ?? (startMs + endMs) / 2;
  const start = centre - (centre - startMs) * factor;
  return shown({ startMs: start, endMs: start + lengthMs }, nowMs);
}

function shown(range: Range, nowMs: number): ChartAction {
  const { startMs, endMs } = endingNow(range, nowMs);
  return {
    kind: 'show',
    range: { startMs: Math.max(0, Math.round(startMs)), endMs: Math.round(endMs) },
  };
}
