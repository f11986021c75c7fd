export { createReadingHandlers, readingRoutes } from './api/index.ts';
export type { CommitOptions } from './fenced-storage.ts';
export { READINGS_LIMITS, type ReadingsLimits } from './limits.ts';
export type { Reading, TimedValue, Value } from './reading.ts';
export {
  createReadings,
  quarantineWarnings,
  type Readings,
  type ReadingsDeps,
} from './readings.ts';
