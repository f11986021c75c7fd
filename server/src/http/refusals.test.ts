import { expect, it } from 'vitest';
import { send } from '../../test/support/call.ts';
import { operation, start, stopAfterEach } from '../../test/support/http.ts';
import { Failure } from '../runtime/index.ts';
import type { Caller } from './caller.ts';
import type { RecordRefusal } from './handler.ts';

stopAfterEach();

const ORGANIZATION = '018f0000-0000-7000-8000-00000000cafe';

const CALLER: Caller = {
  kind: 'API_KEY',
  id: 'a-key',
  name: 'A key',
  sessionId: null,
  permissionsIn: () => new Set(['ReadAssets'] as const),
};

it('a missing permission is recorded, whether access control or a handler found it, and no other failure is', async () => {
  const recorded: Parameters<RecordRefusal>[0][] = [];
  const path = '/{organizationId}/things';
  const refuse = async () => {
    throw new Failure('PERMISSION_MISSING', 'No.');
  };
  const credential = { kind: 'credential' } as const;
  const url = await start(
    [
      [
        operation('byAccess', {
          path: `${path}/a`,
          access: { kind: 'permission', permission: 'ManageUsers' },
        }),
        async () => ({ body: 1 }),
      ],
      [
        operation('byKind', { path: `${path}/b`, access: { kind: 'user', permission: null } }),
        async () => ({ body: 1 }),
      ],
      [operation('byHandler', { path: `${path}/c`, access: credential }), refuse],
      [operation('good', { path: `${path}/d`, access: credential }), async () => ({ body: 1 })],
      [
        operation('other', { path: `${path}/e`, access: credential }),
        () => Promise.reject(new Failure('NOT_FOUND', 'No.')),
      ],
    ],
    { authenticate: async () => CALLER, recordRefusal: (refusal) => recorded.push(refusal) },
  );
  for (const end of 'abcde') await send(url, 'GET', `/${ORGANIZATION}/things/${end}`);
  expect(recorded.map(({ operation, code }) => [operation, code])).toEqual([
    ['byAccess', 'PERMISSION_MISSING'],
    ['byKind', 'USER_REQUIRED'],
    ['byHandler', 'PERMISSION_MISSING'],
  ]);
  expect(recorded[0]).toMatchObject({
    caller: CALLER,
    organizationId: ORGANIZATION,
    address: '127.0.0.1',
  });
});
