import type { Permission } from '@fieldwatch/contract';
import { describe, expect, it } from 'vitest';
import { authorize } from './authorize.ts';
import type { Caller } from './caller.ts';

const home = '018f0000-0000-7000-8000-000000000001';
const elsewhere = '018f0000-0000-7000-8000-000000000002';

function caller(kind: Caller['kind'], permissions: Permission[]): Caller {
  return {
    kind,
    id: 'someone',
    name: 'Someone',
    sessionId: null,
    permissionsIn: (id) => (id === home ? new Set(permissions) : undefined),
  };
}

const key = caller('API_KEY', ['ReadAssets']);
const user = caller('USER', ['ReadAssets']);

describe('access', () => {
  it('is granted to any credential of the organization', () => {
    expect(authorize({ kind: 'credential' }, key, home)).toBeUndefined();
  });

  it('does not depend on how the organization id is written', () => {
    expect(authorize({ kind: 'credential' }, key, home.toUpperCase())).toBeUndefined();
  });

  it.each([elsewhere, 'not-a-uuid', ''])('is refused alike in the organization %j', (id) => {
    expect(authorize({ kind: 'credential' }, key, id)?.code).toBe('ORGANIZATION_FORBIDDEN');
    expect(authorize({ kind: 'user', permission: null }, key, id)?.code).toBe(
      'ORGANIZATION_FORBIDDEN',
    );
  });

  it('needs the named permission and says which', () => {
    const granted = { kind: 'permission', permission: 'ReadAssets' } as const;
    const missing = { kind: 'permission', permission: 'DeleteAsset' } as const;
    expect(authorize(granted, key, home)).toBeUndefined();
    expect(authorize(missing, key, home)).toMatchObject({
      code: 'PERMISSION_MISSING',
      message: 'This needs the permission DeleteAsset.',
    });
  });

  it('to what only a user may do is refused to an API key, whatever it holds', () => {
    const access = { kind: 'user', permission: 'ReadAssets' } as const;
    expect(authorize(access, key, home)?.code).toBe('USER_REQUIRED');
    expect(authorize(access, user, home)).toBeUndefined();
  });

  it('outside any organization needs no membership', () => {
    expect(authorize({ kind: 'user', permission: null }, user, undefined)).toBeUndefined();
  });
});
