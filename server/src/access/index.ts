export { ACCESS_LIMITS, type Access, type AccessLimits, createAccess } from './access.ts';
export type { BootstrapResult, BootstrapSettings } from './bootstrap.ts';
export { generateSecret, matchesQuickHash, quickHash } from './secrets/index.ts';
