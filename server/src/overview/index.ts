export { createOverview, type Overview } from './overview.ts';
export { overviewRoutes } from './routes.ts';
export { countAll } from './store.ts';
