import { Writable } from 'node:stream';
import { type Operation, operations, type ReplyBody, type WrittenBody } from '@fieldwatch/contract';
import { pino } from 'pino';
import { type AccessLimits, createAccess } from '../../src/access/index.ts';
import {
  createSecrets,
  createSlowHash,
  HASH_LIMITS,
  type Secrets,
} from '../../src/access/secrets/index.ts';
import { browserOf } from '../../src/http/browser.ts';
import { precondition } from '../../src/http/etag.ts';
import type { Caller, Serve } from '../../src/http/index.ts';
import { createIds, createKeyring, Failure, type Log } from '../../src/runtime/index.ts';
import { openStorage } from '../../src/storage/index.ts';
import { createTestClock } from './clock.ts';
import { createTestDatabase } from './postgres.ts';

export type AccessDeps = Parameters<typeof createAccess>[0];

export interface GivenCall<O extends Operation> {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: object;
  readonly body?: WrittenBody<O>;
  readonly auth?: string;
  readonly address?: string;
  readonly userAgent?: string;
  /** What a browser sends beside the body. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly ifMatch?: string;
}

export interface RigOptions {
  readonly limits?: AccessLimits;
  readonly oidc?: AccessDeps['oidc'];
  readonly secrets?: AccessDeps['secrets'];
  /** Another process on the same database. */
  readonly databaseUrl?: string;
}

type AnyHandler = (input: object, context: object) => Promise<AnyAnswer>;
type AnyPrepared = {
  prepare(
    input: object,
    context: object,
  ): Promise<((context: object) => Promise<AnyAnswer>) | AnyAnswer>;
};
type AnyAnswer = { body: unknown; revision?: number; changes?: never[] };

/** As little as argon2id can cost. */
export const CHEAP_PASSWORDS = { memoryCost: 8, timeCost: 1, parallelism: 1 } as const;

export function createCheapSecrets(): Secrets {
  return createSecrets(createSlowHash(HASH_LIMITS, CHEAP_PASSWORDS));
}

export const PASSWORD = 'a long enough password';

export const basicAuth = (id: string, secret: string) =>
  `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;

export const bearerAuth = (token: string) => `Bearer ${token}`;

/** The error code that a promise is rejected with; fails when it is not. */
export async function codeOf(promise: Promise<unknown>): Promise<string> {
  return (await failureOf(promise)).code;
}

export async function failureOf(promise: Promise<unknown>): Promise<Failure> {
  const outcome = await promise.then(
    () => 'it succeeded',
    (error: unknown) => error,
  );
  if (outcome instanceof Failure) return outcome;
  throw new Error('expected a failure', { cause: outcome });
}

function createCapturingLog(): { log: Log; lines: string[] } {
  const lines: string[] = [];
  const sink = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  return { log: pino({ level: 'trace', base: null }, sink), lines };
}

/** Access alone, on a database of its own, with its operations called as the HTTP server does. */
export async function createAccessRig(options: RigOptions = {}) {
  const database = options.databaseUrl ? undefined : await createTestDatabase();
  const databaseUrl = options.databaseUrl ?? database?.url ?? '';
  const clock = createTestClock();
  const { log, lines } = createCapturingLog();
  const storage = await openStorage({
    databaseUrl,
    dataDir: '',
    postgresBin: null,
    log,
    clock,
    onProgress: () => undefined,
  });
  const newId = createIds(clock);
  const access = createAccess({
    storage,
    clock,
    newId,
    log,
    keyring: createKeyring(Buffer.alloc(32, 7)),
    oidc: options.oidc ?? null,
    ...(options.limits ? { limits: options.limits } : {}),
    secrets: options.secrets ?? createCheapSecrets(),
  });
  const handlers = new Map<string, AnyHandler | AnyPrepared>();
  const serve: Serve = (operation, handler) => {
    handlers.set(operation.id, handler as AnyHandler | AnyPrepared);
  };
  access.routes(serve);

  async function answer<O extends Operation>(operation: O, given: GivenCall<O> = {}) {
    const handler = handlers.get(operation.id);
    if (!handler) throw new Error(`${operation.id} is not served`);
    const address = given.address ?? '192.0.2.1';
    const caller: Caller | null =
      operation.access.kind === 'anyone' ? null : await access.authenticate(given.auth, address);
    const input = {
      params: given.params ?? {},
      query: { skip: 0, take: 25, ...given.query },
      body: given.body,
    };
    const context = {
      requestId: newId(),
      address,
      userAgent: given.userAgent ?? null,
      browser: browserOf(given.headers ?? {}),
      now: clock.now(),
      caller,
    };
    if (operation.effect === 'read' && typeof handler === 'function') {
      return handler(input, context);
    }
    const run =
      typeof handler === 'function'
        ? (inTransaction: object) => handler(input, inTransaction)
        : await handler.prepare(input, context);
    if (typeof run !== 'function') return run;
    const outcome = await storage.transaction(async (tx) => {
      try {
        const checked = { ...context, tx, precondition: precondition(given.ifMatch) };
        const written = await run(checked);
        const request = { ...context, operation: operation.id };
        await access.recordChanges(tx, request, written.changes ?? []);
        return written;
      } catch (error) {
        if (error instanceof Failure && error.keepsWrites) return error;
        throw error;
      }
    });
    if (outcome instanceof Failure) throw outcome;
    return outcome;
  }

  return {
    access,
    storage,
    clock,
    newId,
    databaseUrl,
    logLines: lines,
    /** The whole answer, with its revision. */
    answer,
    async call<O extends Operation>(operation: O, given: GivenCall<O> = {}) {
      return (await answer(operation, given)).body as ReplyBody<O>;
    },
    async stop() {
      await access.stop();
      await storage.stop();
      await database?.drop();
    },
  };
}

export type AccessRig = Awaited<ReturnType<typeof createAccessRig>>;

/** The caller that credentials authenticate, with its permissions in one organization. */
export async function callerOf(
  { access }: AccessRig,
  auth: string,
  organizationId: string,
  address = '192.0.2.1',
) {
  const caller = await access.authenticate(auth, address);
  const permissions = caller.permissionsIn(organizationId);
  return { kind: caller.kind, id: caller.id, permissions: [...(permissions ?? [])].sort() };
}

/** The account that an access token authenticates, with its role in each of its organizations. */
export async function accountOf(rig: AccessRig, auth: string) {
  const { email, organizations } = await rig.call(operations.retrieveMe, { auth });
  return { email, roles: organizations.map(({ id, role }) => ({ id, role })) };
}

/** An organization with its first administrator and key, made as a first start makes them. */
export async function createOrganization(
  { access, newId }: AccessRig,
  email = 'admin@example.com',
) {
  const made = await access.bootstrap({
    organizationId: newId(),
    adminEmail: email,
    adminPassword: PASSWORD,
    // A key that was asked for holds every permission.
    apiKeyId: newId(),
    apiKeySecret: null,
  });
  if (!made.created) throw new Error('the organization was there before');
  return { ...made, key: basicAuth(made.apiKeyId, made.apiKeySecret) };
}
