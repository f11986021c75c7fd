export type { ActualState } from './actual.ts';
export { applyPlan, ChangedMeanwhile, type Credentials, StepFailure } from './apply.ts';
export { type Call, callsOf } from './calls.ts';
export { countReadings, readActual } from './read.ts';
