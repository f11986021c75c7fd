export { createLeases, type Leases } from './leases.ts';
export type { TargetName } from './store.ts';
