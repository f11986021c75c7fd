export { nextPeriod, type Period, periodAt, type Schedule } from './periods.ts';
