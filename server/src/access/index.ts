export { ACCESS_LIMITS, type Access, type AccessLimits, createAccess } from './access.ts';
export type { BootstrapResult, BootstrapSettings } from './bootstrap.ts';
export { grantedByRole } from './grants.ts';
export { createOperatorKey, resetPassword } from './operator/index.ts';
export { listOrganizations } from './organizations/index.ts';
export { passwordProblem } from './passwords/index.ts';
export { type RestoredAccess, revokeRestoredAccess } from './restored/index.ts';
export {
  digestOf,
  generateSecret,
  matchesQuickHash,
  type PasswordCost,
  quickHash,
} from './secrets/index.ts';
