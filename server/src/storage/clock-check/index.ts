export { type ClockCheck, createClockCheck } from './clock-check.ts';
