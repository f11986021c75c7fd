export { ACCESS_LIMITS, type Access, type AccessLimits, createAccess } from './access.ts';
export type { BootstrapResult, BootstrapSettings } from './bootstrap.ts';
export { passwordProblem } from './passwords/index.ts';
export { type RestoredAccess, settleRestoredAccess } from './restored/index.ts';
export {
  generateSecret,
  matchesQuickHash,
  type PasswordCost,
  quickHash,
} from './secrets/index.ts';
