import { describe, expect, it } from 'vitest';
import { ERRORS, failuresOf, type Operation, operations, paramNames } from './index.ts';
import { openApiDocument } from './openapi.ts';
import type { Method, OperationItem, Parameter } from './openapi-document.ts';

const document = openApiDocument();
const all: Operation[] = Object.values(operations);

function itemOf({ path, method }: Operation): OperationItem {
  const item = document.paths[path]?.[method.toLowerCase() as Method];
  if (!item) throw new Error(`${method} ${path} is not in the document`);
  return item;
}

function resolve(ref: string): unknown {
  return ref
    .slice(2)
    .split('/')
    .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], document);
}

function parametersOf(operation: Operation): Parameter[] {
  return (itemOf(operation).parameters ?? []).map((one) =>
    '$ref' in one ? (resolve(one.$ref) as Parameter) : one,
  );
}

/** Every object inside a value, itself included. */
function* objectsIn(value: unknown): Generator<object> {
  if (typeof value !== 'object' || value === null) return;
  yield value;
  for (const part of Object.values(value)) yield* objectsIn(part);
}

function headersOf(operation: Operation): string[] {
  const reply = itemOf(operation).responses[operation.reply.status];
  return reply && 'headers' in reply ? Object.keys(reply.headers ?? {}) : [];
}

describe('the OpenAPI document', () => {
  it('is of version 3.1 with a licence and the place it is served from', () => {
    expect(document.openapi).toMatch(/^3\.1\.\d+$/);
    expect(document.info.license).toEqual({
      name: 'Apache License 2.0',
      identifier: 'Apache-2.0',
    });
    expect(document.servers).toEqual([{ url: '/' }]);
  });

  it('is the same at every call, and nothing but JSON', () => {
    expect(openApiDocument()).toEqual(document);
    expect(JSON.parse(JSON.stringify(document))).toStrictEqual(document);
    for (const part of objectsIn(document)) {
      expect(Reflect.ownKeys(part).filter((key) => String(key).startsWith('~'))).toEqual([]);
    }
  });

  it('forbids caches to store each answer with a secret, and only those', () => {
    const secrets =
      /"(accessToken|refreshToken|codeVerifier|password|secret|appKey|invitationToken)":/;
    for (const one of all) {
      const isSecret = secrets.test(JSON.stringify(one.reply.body ?? {}));
      expect([one.id, one.reply.holdsSecrets ?? false]).toEqual([one.id, isSecret]);
      expect([one.id, headersOf(one).includes('Cache-Control')]).toEqual([one.id, isSecret]);
    }
  });

  it('holds what each reference points at', () => {
    for (const part of objectsIn(document)) {
      if (!('$ref' in part)) continue;
      expect(part.$ref).toMatch(/^#\/components\//);
      expect(resolve(String(part.$ref)), String(part.$ref)).toBeDefined();
    }
  });

  it('names components as the specification allows', () => {
    for (const group of Object.values(document.components)) {
      for (const name of Object.keys(group)) expect(name).toMatch(/^[A-Za-z0-9._-]+$/);
    }
  });

  it('has every operation once, under its id, and no other', () => {
    const ids = Object.values(document.paths).flatMap((path) =>
      Object.values(path).map(({ operationId }) => operationId),
    );
    expect(ids.toSorted()).toEqual(Object.keys(operations).toSorted());
  });

  it('describes every tag that it uses', () => {
    const described = document.tags.map(({ name }) => name);
    for (const each of all) expect(described).toEqual(expect.arrayContaining(itemOf(each).tags));
  });
});

describe('an operation in the document', () => {
  it('declares exactly the parameters of its path, all required', () => {
    for (const each of all) {
      const declared = parametersOf(each).filter((one) => one.in === 'path');
      expect(declared.map(({ name }) => name)).toEqual(paramNames(each.path));
      expect(
        declared.every(({ required }) => required),
        each.id,
      ).toBe(true);
    }
  });

  it('declares no parameter twice', () => {
    for (const each of all) {
      const declared = parametersOf(each).map((one) => `${one.in} ${one.name}`);
      expect(new Set(declared).size, each.id).toBe(declared.length);
    }
  });

  it('writes an array filter with brackets and repetition', () => {
    const roles = parametersOf(operations.listUsers).find(({ name }) => name === 'roles[]');
    expect(roles).toMatchObject({ in: 'query', required: false, style: 'form', explode: true });
    expect(roles?.schema).toMatchObject({ type: 'array', maxItems: 200 });
  });

  it('does not ask for what has a default, and says which it is', () => {
    const take = parametersOf(operations.listUsers).find(({ name }) => name === 'take');
    expect(take).toMatchObject({ required: false, schema: { default: 25, maximum: 1000 } });
  });

  it('refers to a record by its name', () => {
    const reply = itemOf(operations.listApiKeys).responses[200];
    expect(reply).toMatchObject({
      content: {
        'application/json': {
          schema: { properties: { items: { items: { $ref: '#/components/schemas/ApiKey' } } } },
        },
      },
    });
  });

  it('takes the credentials that its access allows', () => {
    expect(itemOf(operations.createToken).security).toEqual([]);
    expect(itemOf(operations.changePassword).security).toEqual([{ userToken: [] }]);
    expect(itemOf(operations.listUsers).security).toEqual([{ apiKey: [] }, { userToken: [] }]);
  });

  it('has the workflow stage Integrate for the operations of the interface alone', () => {
    const staged = all.filter(({ stage }) => stage === 'Integrate').map(({ id }) => id);
    expect(staged.sort()).toEqual([
      ...['archiveAlarm', 'bindVariable', 'bindVariables', 'createAlarm', 'createAsset'],
      ...['createDevice', 'createVariable', 'deleteAsset', 'deleteDevice', 'deleteVariable'],
      ...['listAlarmHistory', 'listAssets', 'listDashboardHistories', 'listDashboards'],
      ...['listDeviceVariables', 'listDevices', 'listDevicesByCursor', 'listVariables'],
      ...['restoreAlarm', 'retrieveAlarm', 'retrieveAsset', 'retrieveDashboard'],
      ...['retrieveDevice', 'retrieveVariable', 'searchAlarms', 'updateAlarm', 'updateAsset'],
      ...['updateDevice', 'updateVariable'],
    ]);
  });

  it('says its access, its permission and its workflow stage', () => {
    for (const each of all) {
      const item = itemOf(each);
      expect(item['x-access']).toBe(each.access.kind);
      expect(item['x-workflow-stage']).toBe(each.stage);
      const permission = 'permission' in each.access ? each.access.permission : null;
      expect(item['x-permission'] ?? null, each.id).toBe(permission);
    }
  });

  it('takes the conditional and idempotency headers where they are honoured', () => {
    const headers = (each: Operation) =>
      parametersOf(each)
        .filter((one) => one.in === 'header')
        .map(({ name }) => name);
    expect(headers(operations.createUser)).toEqual(['Idempotency-Key']);
    expect(headers(operations.updateUser)).toEqual(['If-Match']);
    expect(headers(operations.deleteUser)).toEqual(['If-Match']);
    expect(headers(operations.retrieveUser)).toEqual(['If-None-Match']);
    expect(headers(operations.listUsers)).toEqual([]);
    expect(headers(operations.createToken)).toEqual([]);
  });

  it('answers with the headers of its shape', () => {
    expect(headersOf(operations.createUser)).toEqual(
      expect.arrayContaining(['X-Request-Id', 'ETag', 'Location', 'RateLimit-Limit']),
    );
    expect(headersOf(operations.deleteUser)).not.toContain('ETag');
    expect(headersOf(operations.createToken)).not.toContain('Location');
    expect(Object.keys(itemOf(operations.retrieveUser).responses)).toContain('304');
    expect(Object.keys(itemOf(operations.listUsers).responses)).not.toContain('304');
  });

  it('answers each of its failures as a problem under its status', () => {
    for (const each of all) {
      for (const code of failuresOf(each)) {
        const reply = itemOf(each).responses[ERRORS[code].status];
        const shared = reply && '$ref' in reply ? resolve(reply.$ref) : undefined;
        expect(shared, `${each.id} ${code}`).toMatchObject({
          description: expect.stringContaining(`\`${code}\``),
          content: {
            'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
          },
        });
      }
    }
  });

  it('says how long to wait where waiting helps', () => {
    for (const [name, { headers }] of Object.entries(document.components.responses)) {
      const waits = /TooManyRequests|Overloaded|Unavailable/.test(name);
      expect(Object.keys(headers ?? {}).includes('Retry-After'), name).toBe(waits);
    }
  });
});
