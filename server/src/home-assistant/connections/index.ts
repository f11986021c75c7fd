export { type Connections, createConnections } from './connections.ts';
export { decryptPassword } from './password.ts';
export type { ConnectionState } from './store.ts';
