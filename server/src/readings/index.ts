export { createReadingHandlers } from './handlers.ts';
export { READINGS_LIMITS, type ReadingsLimits } from './limits.ts';
export type { Reading, TimedValue, Value } from './reading.ts';
export { createReadings, type Readings, type ReadingsDeps } from './readings.ts';
export { readingRoutes } from './routes.ts';
