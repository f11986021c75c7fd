export { createPaging, type Paging } from './paging.ts';
export { pagingCallbacks, pagingRoutes } from './routes.ts';
