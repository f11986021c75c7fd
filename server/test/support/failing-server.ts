import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { type Operation, operations } from '@fieldwatch/contract';
import { expect } from 'vitest';
import { type Answered, basic, type Call, call } from './call.ts';
import { createDataDir } from './data-dir.ts';
import { createTestDatabase } from './postgres.ts';
import { SHORT_LIVED } from './process.ts';
import { SECRET_KEY } from './server.ts';

const SCRIPT = fileURLToPath(new URL('./failing-server.mjs', import.meta.url));
const organizationId = '018f0000-0000-7000-8000-0000000000ad';
const KEY = { id: 'crash-key', secret: 'crash-secret-of-32-characters-or-more' };
const auth = basic(KEY.id, KEY.secret);

type TestDatabase = Awaited<ReturnType<typeof createTestDatabase>>;

/** A server in a process of its own, which is killed at a failpoint and started again. */
export class FailingServer {
  /** How far its clock is ahead, also after it has started again. */
  aheadMs = 0;
  readonly #database: TestDatabase;
  readonly #dataDir = createDataDir();
  readonly #smtpUrl: string;
  #child: ChildProcess | undefined;
  #url = '';

  static async start(smtpUrl?: string): Promise<FailingServer> {
    return await FailingServer.#startOn(await createTestDatabase(), smtpUrl);
  }

  /** Two nodes on one database. */
  static async startTwo(): Promise<readonly [FailingServer, FailingServer]> {
    const database = await createTestDatabase();
    const first = await FailingServer.#startOn(database);
    return [first, await FailingServer.#startOn({ ...database, drop: async () => undefined })];
  }

  static async #startOn(database: TestDatabase, smtpUrl?: string): Promise<FailingServer> {
    const server = new FailingServer(database, smtpUrl);
    await server.#start();
    return server;
  }

  private constructor(database: TestDatabase, smtpUrl = 'smtp://127.0.0.1:1') {
    this.#database = database;
    this.#smtpUrl = smtpUrl;
  }

  get databaseUrl(): string {
    return this.#database.url;
  }

  get isKilled(): boolean {
    const { exitCode, signalCode } = this.#running;
    return exitCode !== null || signalCode !== null;
  }

  readonly ask = (operation: Operation, given: Call = {}): Promise<Answered> =>
    call(this.#url, operation, { auth, ...given, params: { organizationId, ...given.params } });

  /** Creates a record. */
  readonly create = async (operation: Operation, given: Call): Promise<{ id: string }> => {
    const { status, text, body } = await this.ask(operation, given);
    expect(status, text).toBe(201);
    return body;
  };

  /** Resolves also when the server was killed meanwhile. */
  async arm(failpoint: string): Promise<void> {
    await this.#send(failpoint);
  }

  /** Resolves also when the server is killed by what is due then. */
  async advance(milliseconds: number): Promise<void> {
    this.aheadMs += milliseconds;
    await this.#send(milliseconds);
  }

  kill(): void {
    this.#running.kill('SIGKILL');
  }

  async restartOnceKilled(): Promise<void> {
    if (!this.isKilled) await once(this.#running, 'exit');
    expect(this.#running.signalCode).toBe('SIGKILL');
    await this.#start();
  }

  async stop(): Promise<void> {
    this.kill();
    if (!this.isKilled) await once(this.#running, 'exit');
    await this.#database.drop();
    this.#dataDir.remove();
  }

  get #running(): ChildProcess {
    if (!this.#child) throw new Error('the server was not started');
    return this.#child;
  }

  async #start(): Promise<void> {
    const env = {
      PATH: process.env.PATH ?? '',
      DATABASE_URL: this.#database.url,
      FIELDWATCH_DATA_DIR: this.#dataDir.path,
      FIELDWATCH_SECRET_KEY: SECRET_KEY,
      FIELDWATCH_HTTP_HOST: '127.0.0.1',
      FIELDWATCH_HTTP_PORT: '0',
      FIELDWATCH_MQTT_PORT: '0',
      FIELDWATCH_ORGANIZATION_ID: organizationId,
      FIELDWATCH_API_KEY_ID: KEY.id,
      FIELDWATCH_API_KEY_SECRET: KEY.secret,
      FIELDWATCH_REQUESTS_PER_MINUTE: '0',
      FIELDWATCH_OUTBOUND_ALLOW: '127.0.0.1',
      FIELDWATCH_SMTP_URL: this.#smtpUrl,
      FIELDWATCH_MAIL_FROM: 'alarms@example.org',
    };
    const child = fork(SCRIPT, [String(this.aheadMs)], { env, execArgv: SHORT_LIVED });
    this.#child = child;
    const [ready] = await Promise.race([once(child, 'message'), once(child, 'exit')]);
    if (!ready?.url) throw new Error('the server did not start');
    this.#url = ready.url;
  }

  async #send(message: string | number): Promise<void> {
    if (this.isKilled) return;
    const child = this.#running;
    const ended = Promise.race([once(child, 'message'), once(child, 'exit')]);
    // The channel of a server that is being killed is closed before its end is known.
    child.send(message, () => undefined);
    await ended;
  }
}

/** An Alarm on a new Device that raises above 50. */
export async function newWatched(
  { ask, create }: Pick<FailingServer, 'ask' | 'create'>,
  { alarmGroupId, delaySeconds }: { readonly alarmGroupId: string; readonly delaySeconds: number },
) {
  const { id: deviceId } = await create(operations.createDevice, {
    body: { type: 'CUSTOM_DEVICE', name: 'Generator' },
  });
  const { id: deviceVariableId } = await create(operations.createVariable, {
    params: { deviceId },
    body: { topicPropertyPath: 'point', type: 'NUMBER', name: 'Point', isLoggingEnabled: true },
  });
  const { id: alarmId } = await create(operations.createAlarm, {
    body: {
      name: 'Too hot',
      isActive: true,
      deviceId,
      deviceVariableId,
      operator: 'GREATER_THAN',
      thresholdValueNumber: 50,
      alarmGroupId,
      delayProcessingSeconds: delaySeconds,
    },
  });
  const report = (value: number, timestamp?: number) =>
    ask(operations.writeReadings, {
      params: { deviceId },
      body: { ...(timestamp === undefined ? {} : { timestamp }), data: { point: value } },
    });
  return { alarmId, report };
}
