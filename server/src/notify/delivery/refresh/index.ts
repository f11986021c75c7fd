export { createRefresh, type Refresh } from './refresh.ts';
