export { createPaging, type Paging } from './paging.ts';
export { pagingRoutes } from './routes.ts';
