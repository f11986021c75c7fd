import {
  KEY_PERMISSIONS,
  type KeyPermission,
  type Permission,
  ROLE_PERMISSIONS,
  type Role,
} from '@fieldwatch/contract';
import type { Caller } from '../http/index.ts';
import { Failure, isoDateTime } from '../runtime/index.ts';

/** Fails when the caller does not hold all of these permissions in this organization. */
export function requireHolds(
  caller: Caller,
  organizationId: string,
  needed: readonly Permission[],
  reason = 'This takes permissions that you do not hold.',
): void {
  const held = caller.permissionsIn(organizationId);
  const missing = needed.filter((permission) => !held?.has(permission));
  if (missing.length === 0) return;
  throw new Failure('PERMISSION_MISSING', `${reason} Missing: ${missing.join(', ')}.`);
}

/** Fails when the caller would give what they do not hold in this organization. */
export function requireMayGrant(
  caller: Caller,
  organizationId: string,
  granted: readonly Permission[],
): void {
  requireHolds(
    caller,
    organizationId,
    granted,
    'A caller cannot grant permissions that they do not hold.',
  );
}

/** Fails when an API key would live longer than the credential that gives it something. */
export function requireOutlives(caller: Caller, expiresAt: number | null): void {
  if (caller.expiresAt === undefined) return;
  if (expiresAt !== null && expiresAt <= caller.expiresAt) return;
  throw new Failure(
    'PERMISSION_MISSING',
    `An API key cannot expire later than the key that creates or edits it, which expires at ${isoDateTime(caller.expiresAt)}.`,
  );
}

/** The permissions that the caller must hold to grant a role; permissions of users only are left out, since an API key cannot hold them. */
export function grantedByRole(role: Role): KeyPermission[] {
  return KEY_PERMISSIONS.filter((permission) => ROLE_PERMISSIONS[role].includes(permission));
}
