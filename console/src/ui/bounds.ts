import { strings } from '../strings/index.ts';
import { countText } from './format.ts';

/** The lowest and the highest value that a number field accepts. */
export interface Bounds {
  readonly min: number;
  readonly max?: number;
}

/** The value at a path such as `details.ratedKw`. */
function valueAt(values: object, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], values);
}

/** A message at each field whose input is no number or outside its bounds. An empty field has none. */
export function boundsErrors(
  values: Readonly<Record<string, unknown>>,
  bounds: Readonly<Record<string, Bounds>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(bounds).flatMap(([field, { min, max = Number.POSITIVE_INFINITY }]) => {
      const value = valueAt(values, field);
      if (value === '' || value === null || value === undefined) return [];
      const number = Number(value);
      if (Number.isNaN(number)) return [[field, strings.ui.noNumber]];
      if (number < min) return [[field, strings.ui.tooLow(countText(min))]];
      return number > max ? [[field, strings.ui.tooHigh(countText(max))]] : [];
    }),
  );
}
