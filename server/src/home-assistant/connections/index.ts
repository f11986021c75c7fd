export { type Connections, createConnections } from './connections.ts';
export { decryptPassword } from './password.ts';
export type { ConnectionState } from './store.ts';
export { type BrokerAddress, brokerAddressOf } from './url.ts';
