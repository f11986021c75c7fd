export { createDashboards } from './dashboards.ts';
export { dashboardRoutes } from './routes.ts';
export { createFindShareCaller } from './sharing/index.ts';
