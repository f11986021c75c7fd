export { createNetworks, type Networks } from './networks.ts';
export { decryptPassword } from './password.ts';
export { findNetwork, type NetworkRow } from './store.ts';
