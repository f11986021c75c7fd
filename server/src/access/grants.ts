import {
  KEY_PERMISSIONS,
  type Permission,
  ROLE_PERMISSIONS,
  type Role,
} from '@fieldwatch/contract';
import type { Caller } from '../http/index.ts';
import { Failure } from '../runtime/index.ts';

/** Fails when the caller would give what they do not hold in this organization. */
export function requireHolds(
  caller: Caller,
  organizationId: string,
  granted: readonly Permission[],
): void {
  const held = caller.permissionsIn(organizationId);
  const missing = granted.filter((permission) => !held?.has(permission));
  if (missing.length === 0) return;
  throw new Failure(
    'PERMISSION_MISSING',
    `Nobody grants what they do not hold. Missing: ${missing.join(', ')}.`,
  );
}

/** What a role is worth to whoever gives it; an API key cannot hold the permissions of persons. */
export function grantedByRole(role: Role): Permission[] {
  return KEY_PERMISSIONS.filter((permission) => ROLE_PERMISSIONS[role].includes(permission));
}
