export { createLocations, type Locations } from './locations.ts';
export { locationRoutes } from './routes.ts';
export { type LocationPath, listLocationPaths } from './store.ts';
