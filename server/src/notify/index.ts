export { createNotify, type Notify } from './notify.ts';
export { notifyRoutes } from './routes.ts';
