import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { operations, type Permission, type Role } from '@fieldwatch/contract';
import { inject } from 'vitest';
import { compose, type Environment } from '../../src/compose/compose.ts';
import { type Config, readConfig } from '../../src/config.ts';
import { type Clock, createLog, systemClock } from '../../src/runtime/index.ts';
import { type AccessRig, CHEAP_PASSWORDS, createAccessRig } from './access.ts';
import { type Answered, basic, bearer, type Call, call } from './call.ts';
import { createTestClock, type TestClock } from './clock.ts';
import { createTestDatabase } from './postgres.ts';

/** An organization of a server that may have others: what a test of it needs, and can break for none of them. */
export interface TestOrganization {
  readonly url: string;
  readonly mqttPort: number;
  readonly mqttUrl: string;
  readonly organizationId: string;
  readonly clock: Clock;
  /** The `Authorization` header of the first API key, which holds every permission a key may. */
  readonly key: string;
  /** The `Authorization` header of the first administrator. */
  readonly administrator: string;
  readonly adminEmail: string;
  readonly adminPassword: string;
  /** Calls an operation in the server's organization with the first key, unless another is given. */
  call(operation: (typeof operations)[keyof typeof operations], given?: Call): Promise<Answered>;
  /** The `Authorization` header of a new API key. */
  newKey(permissions: readonly Permission[], expiresDateTime?: string): Promise<string>;
  /** The `Authorization` header of a new user. */
  newUser(role: Role): Promise<string>;
  signIn(email: string, password: string): Promise<string>;
}

/** The organization that a server begins with, and the server. */
export interface TestServer extends TestOrganization {
  readonly databaseUrl: string;
  readonly clock: TestClock;
  stop(): Promise<void>;
}

export interface TestServerOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly environment?: Partial<Environment>;
  /** Joins another server's database. */
  readonly databaseUrl?: string;
  /** The real time plus what the test adds to it, unless another is given. */
  readonly clock?: TestClock;
}

/** One for all: servers on one database have one key. */
export const SECRET_KEY = 'a secret key for tests, 32 or more';

const PASSWORD = 'correct horse battery';
const KEY_SECRET = 'a secret of a key for tests, 32 or more';
const NEIGHBOUR = {
  organizationId: '018f0000-0000-7000-8000-00000000beef',
  adminEmail: 'neighbour@example.com',
  adminPassword: PASSWORD,
  apiKeyId: null,
  apiKeySecret: KEY_SECRET,
};

const LOOPBACK = {
  FIELDWATCH_HTTP_HOST: '127.0.0.1',
  FIELDWATCH_HTTP_PORT: '0',
  FIELDWATCH_MQTT_PORT: '0',
};

/** The environment of a server in the process of its test. */
const SHARED = {
  onProgress: () => undefined,
  // The test shares the server's event loop and may keep it busy itself.
  limits: { maxLagMs: 60_000 },
  passwordCost: CHEAP_PASSWORDS,
  // To start it takes a tenth of the processor time of a server.
  hasMqttThread: false,
};

/** The production wiring with these settings, and what it has logged. */
export async function composeServer(env: Readonly<Record<string, string>>) {
  let output = '';
  const log = createLog('warn', {
    write(line) {
      output += line;
    },
  });
  const config = configOf({ ...LOOPBACK, ...env });
  const service = await compose(config, { clock: systemClock, log, ...SHARED });
  return { service, output: () => output };
}

/** The production wiring on a database of its own, over real sockets on loopback. */
export async function startServer(options: TestServerOptions = {}): Promise<TestServer> {
  const database = options.databaseUrl ? undefined : await createTestDatabase();
  const databaseUrl = options.databaseUrl ?? database?.url ?? '';
  const dataDir = mkdtempSync(join(inject('runDir'), 'server-'));
  const clock = options.clock ?? createTestClock();
  const config = configOf({
    ...LOOPBACK,
    FIELDWATCH_DATA_DIR: dataDir,
    FIELDWATCH_REQUESTS_PER_MINUTE: '0',
    FIELDWATCH_SECRET_KEY: SECRET_KEY,
    FIELDWATCH_ADMIN_PASSWORD: PASSWORD,
    FIELDWATCH_API_KEY_SECRET: KEY_SECRET,
    DATABASE_URL: databaseUrl,
    ...options.env,
  });
  const service = await compose(config, {
    clock,
    log: createLog('silent'),
    ...SHARED,
    ...options.environment,
  }).catch(async (error: unknown) => {
    await database?.drop();
    rmSync(dataDir, { recursive: true });
    throw error;
  });
  const { bootstrap } = service;
  if (!bootstrap.created) throw new Error('the test database was not empty');
  const url = `http://127.0.0.1:${service.port}`;
  const server = callersOf(
    url,
    bootstrap.organizationId,
    basic(bootstrap.apiKeyId, bootstrap.apiKeySecret),
  );
  return {
    ...server,
    url,
    mqttPort: service.mqttPort ?? 0,
    mqttUrl: `mqtt://127.0.0.1:${service.mqttPort}`,
    databaseUrl,
    clock,
    organizationId: bootstrap.organizationId,
    key: basic(bootstrap.apiKeyId, bootstrap.apiKeySecret),
    administrator: await server.signIn(bootstrap.adminEmail, PASSWORD),
    adminEmail: bootstrap.adminEmail,
    adminPassword: PASSWORD,
    async stop() {
      await service.stop();
      await database?.drop();
      rmSync(dataDir, { recursive: true });
    },
  };
}

/** A second server on the database of another one, with an organization of its own. */
export function startSecondServer(
  { databaseUrl }: TestServer,
  env: TestServerOptions['env'] = {},
): Promise<TestServer> {
  return startServer({
    databaseUrl,
    env: {
      ...env,
      FIELDWATCH_ORGANIZATION_ID: NEIGHBOUR.organizationId,
      FIELDWATCH_ADMIN_EMAIL: NEIGHBOUR.adminEmail,
    },
  });
}

/** Another organization of the same server, made as the start of a second server makes its own. */
export async function startNeighbour(server: TestServer): Promise<TestServer> {
  const rig = await createAccessRig({ databaseUrl: server.databaseUrl });
  const organization = await addOrganization(server, rig).finally(rig.stop);
  return { ...server, ...organization, clock: server.clock, stop: async () => undefined };
}

/** One for all files that a worker runs, which ends with its process. */
let shared: Promise<{ readonly server: TestServer; readonly rig: AccessRig }> | undefined;

async function startShared() {
  const server = await startServer();
  return { server, rig: await createAccessRig({ databaseUrl: server.databaseUrl }) };
}

/**
 * A new organization on the server that the files of a worker share: a fraction of the processor time
 * of a server. For tests that need no settings, clock or database of their own; two such organizations
 * are each other's neighbours.
 */
export async function joinServer(): Promise<TestOrganization> {
  shared ??= startShared();
  const { server, rig } = await shared;
  return await addOrganization(server, rig);
}

async function addOrganization(
  { url, mqttPort, mqttUrl, clock }: TestServer,
  { access, newId }: AccessRig,
): Promise<TestOrganization> {
  const id = newId();
  const adminEmail = `admin@${id}.example.com`;
  const made = await access.bootstrap({ ...NEIGHBOUR, organizationId: id, adminEmail });
  if (!made.created) throw new Error('the organization was there already');
  const key = basic(made.apiKeyId, made.apiKeySecret);
  const callers = callersOf(url, id, key);
  return {
    ...{ url, mqttPort, mqttUrl, clock, organizationId: id, key },
    ...callers,
    administrator: await callers.signIn(adminEmail, PASSWORD),
    ...{ adminEmail, adminPassword: PASSWORD },
  };
}

function configOf(env: Record<string, string>): Config {
  const result = readConfig(env);
  if ('problems' in result) throw new Error(result.problems.join('\n'));
  return result.config;
}

type Callers = Pick<TestServer, 'call' | 'newKey' | 'newUser' | 'signIn'>;

function callersOf(url: string, organizationId: string, key: string): Callers {
  let users = 0;
  const own: TestServer['call'] = (operation, given = {}) =>
    call(url, operation, {
      auth: operation.access.kind === 'anyone' ? undefined : key,
      ...given,
      params: { organizationId, ...given.params },
    });
  const signIn = async (email: string, password: string) => {
    const { body } = await own(operations.createToken, { body: { email, password } });
    return bearer(body.accessToken);
  };
  return {
    call: own,
    signIn,
    async newKey(permissions: readonly Permission[], expiresDateTime?: string) {
      const { body } = await own(operations.createApiKey, {
        body: { name: 'Test key', permissions, ...(expiresDateTime ? { expiresDateTime } : {}) },
      });
      return basic(body.id, body.secret);
    },
    async newUser(role: Role) {
      users += 1;
      // Users belong to no organization: the same address would be the same user.
      const email = `${role.toLowerCase()}-${users}@${organizationId}.example.com`;
      await own(operations.createUser, { body: { email, role, password: PASSWORD } });
      return signIn(email, PASSWORD);
    },
  };
}
