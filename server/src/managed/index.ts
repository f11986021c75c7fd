export { createManagedResources, type ManagedResources } from './managed-resources.ts';
export { managedRoutes } from './routes.ts';
