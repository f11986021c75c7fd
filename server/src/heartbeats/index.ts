export { createHeartbeats, type Heartbeats } from './heartbeats.ts';
export { heartbeatRoutes } from './routes.ts';
