export { createReadingHandlers } from './handlers.ts';
export { readingRoutes } from './routes.ts';
