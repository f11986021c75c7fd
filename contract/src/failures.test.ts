import { describe, expect, it } from 'vitest';
import { ERRORS, failuresOf, type Operation, operations, paramNames } from './index.ts';

const all: Operation[] = Object.values(operations);

const operation: Operation = {
  id: 'listThings',
  method: 'GET',
  path: '/primary/v1/{organizationId}/things',
  tag: 'Service',
  summary: 'List things',
  access: { kind: 'credential' },
  effect: 'read',
  reply: { status: 200, description: 'Things' },
};

describe('the failures of an operation', () => {
  it('wait for an external issuer only where credentials are checked', () => {
    expect(failuresOf(operation)).toContain('ISSUER_UNAVAILABLE');
    expect(failuresOf({ ...operation, access: { kind: 'anyone' } })).not.toContain(
      'ISSUER_UNAVAILABLE',
    );
  });

  it('ask for credentials and a part in the organization', () => {
    expect(failuresOf(operation)).toEqual(
      expect.arrayContaining(['UNAUTHENTICATED', 'ORGANIZATION_FORBIDDEN']),
    );
    expect(failuresOf(operation)).not.toContain('PERMISSION_MISSING');
  });

  it('name a missing permission only where one is asked for', () => {
    const guarded = { kind: 'permission', permission: 'ManageUsers' } as const;
    expect(failuresOf({ ...operation, access: guarded })).toContain('PERMISSION_MISSING');
    expect(failuresOf({ ...operation, access: { kind: 'user', permission: null } })).not.toContain(
      'PERMISSION_MISSING',
    );
  });

  it('refuse an API key where only a user may call', () => {
    const access = { kind: 'user', permission: 'WriteDashboards' } as const;
    expect(failuresOf({ ...operation, access })).toEqual(
      expect.arrayContaining(['USER_REQUIRED', 'PERMISSION_MISSING']),
    );
  });

  it('have no refusal of credentials where anyone may call', () => {
    const codes = failuresOf({ ...operation, access: { kind: 'anyone' } });
    expect(codes.filter((code) => [401, 403].includes(ERRORS[code].status))).toEqual([]);
  });

  it('have no unknown resource where the path names the organization alone', () => {
    expect(failuresOf(operation)).not.toContain('NOT_FOUND');
    expect(failuresOf({ ...operation, path: `${operation.path}/{thingId}` })).toContain(
      'NOT_FOUND',
    );
  });

  it('of a probe have nothing to do with load or storage', () => {
    const codes = failuresOf({ ...operation, access: { kind: 'anyone' } });
    expect(codes).not.toContain('OVERLOADED');
    expect(codes).not.toContain('STORAGE_UNAVAILABLE');
    expect(failuresOf(operation)).toEqual(
      expect.arrayContaining(['OVERLOADED', 'STORAGE_UNAVAILABLE']),
    );
  });

  it('come in the order of the closed list, each once', () => {
    for (const each of all) {
      const codes = failuresOf(each);
      const order = Object.keys(ERRORS);
      expect(codes, each.id).toEqual(order.filter((code) => codes.some((one) => one === code)));
    }
  });

  it('include those that the operation adds', () => {
    for (const each of all) {
      expect(failuresOf(each), each.id).toEqual(expect.arrayContaining([...(each.failures ?? [])]));
    }
  });

  it('include a stale tag for every change of a tagged record, and for nothing else', () => {
    const changes = all.filter(({ method }) => method === 'PATCH' || method === 'DELETE');
    for (const each of all) {
      expect(failuresOf(each).includes('PRECONDITION_FAILED'), each.id).toBe(
        changes.includes(each) && each.reply.tagged === true,
      );
    }
  });

  it('include a reused key for every create, and for nothing else', () => {
    for (const each of all) {
      expect(failuresOf(each).includes('IDEMPOTENCY_KEY_REUSED'), each.id).toBe(
        each.method === 'POST' && each.reply.status === 201,
      );
    }
  });
});

describe('the operations', () => {
  it('stand under their own id', () => {
    for (const [key, { id }] of Object.entries(operations)) expect(id).toBe(key);
  });

  it('have a method and path of their own', () => {
    const routes = all.map(({ method, path }) => `${method} ${path.replace(/\{\w+\}/g, '{}')}`);
    expect(new Set(routes).size).toBe(routes.length);
  });

  it('read by GET, but for searches, histories and trials with a body', () => {
    for (const { id, effect, method, path } of all) {
      const isQueryByPost =
        method === 'POST' && /\/(?:search|alarm-history|backtest|read|try)$/.test(path);
      expect(effect === 'read', id).toBe(method === 'GET' || isQueryByPost);
    }
  });

  it('answer a created record with its tag', () => {
    for (const { id, reply } of all.filter(({ reply }) => reply.status === 201)) {
      expect(reply.tagged, id).toBe(true);
    }
  });

  it('answer nothing exactly where the status is 204', () => {
    for (const { id, reply } of all)
      expect(reply.body === undefined, id).toBe(reply.status === 204);
  });

  it('answer every DELETE by 204 and take no body for it', () => {
    for (const { id, reply, body } of all.filter(({ method }) => method === 'DELETE')) {
      expect(reply.status, id).toBe(204);
      expect(body, id).toBeUndefined();
    }
  });

  it('give forms only to parameters that the path has', () => {
    for (const { id, path, params } of all) {
      expect(paramNames(path), id).toEqual(expect.arrayContaining(Object.keys(params ?? {})));
    }
  });

  it('ask for credentials wherever the path names an organization', () => {
    for (const { id, path, access } of all) {
      if (path.includes('{organizationId}')) expect(access.kind, id).not.toBe('anyone');
    }
  });
});
