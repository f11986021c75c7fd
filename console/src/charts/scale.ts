import uPlot from 'uplot';
import { reachable, scaleOf, type Threshold } from './marks.ts';

/** Fixed limits of a value axis; without them the values determine it. */
export interface Bounds {
  readonly min?: number | undefined;
  readonly max?: number | undefined;
}

/** What determines the value axes besides the values. */
export interface Limits {
  /** Of all axes. */
  readonly bounds: Bounds;
  /** Of the left axis. */
  readonly leftBounds: Bounds;
  readonly isFromZero: boolean;
}

interface Scaled {
  readonly thresholds: readonly Threshold[];
  readonly limits: Limits;
}

interface Definition {
  readonly lines: readonly { readonly unit: string | null }[];
  readonly isDraggable: boolean;
  readonly isLogarithmic: boolean;
}

/** A scale that includes the values and the thresholds of the same unit, within fixed limits. */
export function valueRange(
  unit: string,
  { lines, isDraggable, isLogarithmic }: Definition,
  shown: () => Scaled,
): uPlot.Range.Function {
  const isLeft = scaleOf(lines[0]?.unit ?? null) === unit;
  return (_plot, min, max) => {
    const { thresholds, limits } = shown();
    const values = thresholds
      .filter((each) => scaleOf(each.unit) === unit && (!isLogarithmic || each.value > 0))
      .map(({ value }) => value);
    const hasValues = min !== null && max !== null;
    const marks = isDraggable || !hasValues ? values : reachable(min, max, values);
    const { bounds, leftBounds, isFromZero } = limits;
    const fixed = isLeft ? { ...bounds, ...defined(leftBounds) } : bounds;
    const extent = {
      min: Math.min(min ?? (isLogarithmic ? 1 : 0), ...marks),
      max: Math.max(max ?? 1, ...marks),
    };
    const free = isLogarithmic ? logarithmic(extent) : linear(extent, isFromZero);
    return limited(free, fixed, isLogarithmic);
  };
}

function defined({ min, max }: Bounds): Bounds {
  return { ...(min === undefined ? {} : { min }), ...(max === undefined ? {} : { max }) };
}

type Extent = { readonly min: number; readonly max: number };

/** The width of a scale up to here is a number, also with the room beside the values. */
const MAX_EXTENT = Number.MAX_VALUE / 4;

const finite = (value: number) => Math.max(-MAX_EXTENT, Math.min(MAX_EXTENT, value));

function linear({ min, max }: Extent, isFromZero: boolean): Extent {
  const low = finite(isFromZero ? Math.min(0, min) : min);
  const high = finite(isFromZero ? Math.max(0, max) : max);
  const [from, to] = uPlot.rangeNum(low, high === low ? low + 1 : high, 0.1, true);
  return {
    min: isFromZero && low === 0 ? 0 : (from ?? low),
    max: isFromZero && high === 0 ? 0 : (to ?? high),
  };
}

/** Whole powers of ten around positive values. */
function logarithmic({ min, max }: Extent): Extent {
  const low = 10 ** Math.floor(Math.log10(Math.max(finite(min), Number.MIN_VALUE)));
  const high = 10 ** Math.ceil(Math.log10(Math.max(finite(max), Number.MIN_VALUE)));
  return { min: low, max: high > low ? high : low * 10 };
}

/** Limits in the wrong order, and those that a logarithmic scale cannot have, are ignored. */
function limited(free: Extent, { min, max }: Bounds, isLogarithmic: boolean): uPlot.Range.MinMax {
  const isPossible = (limit: number | undefined): limit is number =>
    limit !== undefined && (!isLogarithmic || limit > 0);
  const low = isPossible(min) ? min : free.min;
  const high = isPossible(max) ? max : free.max;
  return low < high ? [low, high] : [free.min, free.max];
}
