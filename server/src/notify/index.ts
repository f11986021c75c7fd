export { createNotify, type Notify } from './notify.ts';
export { notifyRoutes } from './routes.ts';
export { reencryptSecrets } from './webhooks/index.ts';
