export { createReadingHandlers } from './handlers.ts';
export type { CommitOptions } from './intake.ts';
export { READINGS_LIMITS, type ReadingsLimits } from './limits.ts';
export type { Reading, TimedValue, Value } from './reading.ts';
export {
  createReadings,
  quarantineWarnings,
  type Readings,
  type ReadingsDeps,
} from './readings.ts';
export { readingRoutes } from './routes.ts';
