import type { Access } from '@fieldwatch/contract';
import { Failure } from '../runtime/index.ts';
import type { Caller } from './caller.ts';

/**
 * Decides whether a caller may use an operation. An organization that the caller is no member of
 * is refused alike whether it exists or not, before any other check.
 */
export function authorize(
  access: Access,
  caller: Caller,
  organizationId: string | undefined,
): Failure | undefined {
  const permissions =
    organizationId === undefined ? undefined : caller.permissionsIn(organizationId.toLowerCase());
  if (organizationId !== undefined && permissions === undefined) {
    return new Failure(
      'ORGANIZATION_FORBIDDEN',
      'These credentials have no access to this organization.',
    );
  }
  if ((access.kind === 'share') !== (caller.kind === 'SHARE')) {
    return new Failure('UNAUTHENTICATED', 'These credentials are not for this operation.');
  }
  if (access.kind === 'user' && caller.kind !== 'USER') {
    return new Failure(
      'USER_REQUIRED',
      'An API key cannot do this: sign in and send a Bearer token.',
    );
  }
  const needed = access.kind === 'permission' || access.kind === 'user' ? access.permission : null;
  if (needed !== null && !permissions?.has(needed)) {
    return new Failure('PERMISSION_MISSING', `This needs the permission ${needed}.`);
  }
  return undefined;
}
