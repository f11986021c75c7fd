export { createDashboards } from './dashboards.ts';
export { dashboardRoutes } from './routes.ts';
