export { type ClockCheck, createClockCheck } from './clock-check.ts';
export { certainDeviation } from './deviation.ts';
