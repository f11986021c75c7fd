export { createMaintenance, type Maintenance } from './maintenance.ts';
export { maintenanceRoutes } from './routes.ts';
export {
  type CurrentSuppression,
  currentSuppression,
  type DigestCause,
  suppress,
} from './suppression/index.ts';
