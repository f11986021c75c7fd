export { createOverview, type Overview } from './overview.ts';
