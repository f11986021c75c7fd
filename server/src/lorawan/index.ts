export { createLorawan, type Lorawan } from './lorawan.ts';
export { ProbeFailure, probeNetwork } from './probe/index.ts';
export { lorawanRoutes } from './routes.ts';
