export { createNetworks, type Networks } from './networks.ts';
export { apiToken, brokerPassword } from './secrets.ts';
export { findNetwork, type NetworkRow } from './store.ts';
