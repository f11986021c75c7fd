import type { Reading } from '../../src/readings/index.ts';

const variable = {
  seriesId: 1,
  id: 'variable',
  organizationId: 'organization',
  deviceId: 'device',
  type: 'NUMBER',
  isLoggingEnabled: true,
  path: 'engine.rpm',
} as const;

/** A reading of a Variable that is stored nowhere. */
export const readingOf = (value: number | string): Reading => ({ variable, at: 1, value });
