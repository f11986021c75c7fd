export { createLorawan, type Lorawan } from './lorawan.ts';
export { lorawanRoutes } from './routes.ts';
