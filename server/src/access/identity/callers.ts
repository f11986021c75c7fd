import {
  KEY_PERMISSIONS,
  type Permission,
  ROLE_PERMISSIONS,
  type Role,
} from '@fieldwatch/contract';
import type { Caller } from '../../http/index.ts';
import type { KeyRow, PersonRow } from './store.ts';

type Permissions = ReadonlySet<Permission>;

const OF_ROLE: Readonly<Record<Role, Permissions>> = {
  ADMINISTRATOR: new Set(ROLE_PERMISSIONS.ADMINISTRATOR),
  EDITOR: new Set(ROLE_PERMISSIONS.EDITOR),
  VIEWER: new Set(ROLE_PERMISSIONS.VIEWER),
};

/** A stored name that this version does not know grants nothing. */
export function keyCaller(key: KeyRow): Caller {
  const permissions: Permissions = new Set(
    KEY_PERMISSIONS.filter((permission) => key.permissions.includes(permission)),
  );
  return {
    kind: 'API_KEY',
    id: key.id,
    name: key.name,
    sessionId: null,
    ...(key.expiresAt === null ? {} : { expiresAt: key.expiresAt }),
    permissionsIn: (organizationId) =>
      organizationId === key.organizationId ? permissions : undefined,
  };
}

export function userCaller(person: PersonRow, sessionId: string | null): Caller {
  return {
    kind: 'USER',
    id: person.id,
    name: person.email,
    sessionId,
    permissionsIn(organizationId) {
      const membership = person.memberships.find((one) => one.organizationId === organizationId);
      return membership && OF_ROLE[membership.role];
    },
  };
}
