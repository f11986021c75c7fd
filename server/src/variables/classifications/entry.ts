import type { Classification } from '@fieldwatch/contract';

/** A classification without the kind of Asset that it belongs to. */
export interface Entry extends Pick<Classification, 'name' | 'unit' | 'type' | 'description'> {
  /** Follows the kind of Asset in the classification's name: `KW`. */
  readonly suffix: string;
}

export function measured(
  suffix: string,
  name: string,
  unit: string | null,
  description: string,
): Entry {
  return { suffix, name, unit, type: 'NUMBER', description };
}

/** A state that holds or does not; the description says when it is true. */
export function state(suffix: string, name: string, description: string): Entry {
  return { suffix, name, unit: null, type: 'BOOLEAN', description };
}

export function worded(suffix: string, name: string, description: string): Entry {
  return { suffix, name, unit: null, type: 'STRING', description };
}

export function classificationsOf(
  assetClassificationType: Classification['assetClassificationType'],
  entries: readonly Entry[],
): Classification[] {
  return entries.map(({ suffix, name, unit, type, description }) => ({
    classificationType: `${assetClassificationType}_${suffix}`,
    name,
    unit,
    type,
    assetClassificationType,
    description,
  }));
}
