import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { type Operation, operations } from '@fieldwatch/contract';
import { expect } from 'vitest';
import { type Answered, basic, type Call, call } from './call.ts';
import { createDataDir } from './data-dir.ts';
import { failingServerEnv, KEY, organizationId } from './failing-server-env.ts';
import { createTestDatabase } from './postgres.ts';
import { SHORT_LIVED } from './process.ts';

const SCRIPT = fileURLToPath(new URL('./failing-server.mjs', import.meta.url));
const auth = basic(KEY.id, KEY.secret);

/** A server in a process of its own, which is killed at a failpoint and started again. */
export class FailingServer {
  /** How far its clock is ahead, also after it has started again. */
  aheadMs = 0;
  readonly #database: Awaited<ReturnType<typeof createTestDatabase>>;
  readonly #dataDir = createDataDir();
  readonly #smtpUrl: string;
  #child: ChildProcess | undefined;
  #url = '';

  static async start(smtpUrl = 'smtp://127.0.0.1:1'): Promise<FailingServer> {
    const server = new FailingServer(await createTestDatabase(), smtpUrl);
    await server.#start();
    return server;
  }

  private constructor(database: Awaited<ReturnType<typeof createTestDatabase>>, smtpUrl: string) {
    this.#database = database;
    this.#smtpUrl = smtpUrl;
  }

  get databaseUrl(): string {
    return this.#database.url;
  }

  readonly ask = (operation: Operation, given: Call = {}): Promise<Answered> =>
    call(this.#url, operation, { auth, ...given, params: { organizationId, ...given.params } });

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
    const child = this.#running;
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    expect(child.signalCode).toBe('SIGKILL');
    await this.#start();
  }

  async stop(): Promise<void> {
    this.kill();
    await once(this.#running, 'exit');
    await this.#database.drop();
    this.#dataDir.remove();
  }

  get #running(): ChildProcess {
    if (!this.#child) throw new Error('the server was not started');
    return this.#child;
  }

  async #start(): Promise<void> {
    const env = failingServerEnv({
      databaseUrl: this.#database.url,
      dataDir: this.#dataDir.path,
      smtpUrl: this.#smtpUrl,
    });
    this.#child = fork(SCRIPT, [String(this.aheadMs)], { env, execArgv: SHORT_LIVED });
    const [ready] = await once(this.#child, 'message');
    this.#url = ready.url;
  }

  async #send(message: string | number): Promise<void> {
    const child = this.#running;
    const answered = once(child, 'message');
    child.send(message);
    await Promise.race([answered, once(child, 'exit')]);
  }
}

/** An Alarm on a new Device that raises above 50. */
export async function newWatched(
  { ask }: FailingServer,
  { alarmGroupId, delaySeconds }: { readonly alarmGroupId: string; readonly delaySeconds: number },
) {
  const device = await ask(operations.createDevice, {
    body: { type: 'CUSTOM_DEVICE', name: 'Generator' },
  });
  const deviceId: string = device.body.id;
  const variable = await ask(operations.createVariable, {
    params: { deviceId },
    body: { topicPropertyPath: 'point', type: 'NUMBER', name: 'Point', isLoggingEnabled: true },
  });
  const alarm = await ask(operations.createAlarm, {
    body: {
      name: 'Too hot',
      isActive: true,
      deviceId,
      deviceVariableId: variable.body.id,
      operator: 'GREATER_THAN',
      thresholdValueNumber: 50,
      alarmGroupId,
      delayProcessingSeconds: delaySeconds,
    },
  });
  expect(alarm.status, alarm.text).toBe(201);
  const report = (value: number, timestamp?: number) =>
    ask(operations.writeReadings, {
      params: { deviceId },
      body: { ...(timestamp === undefined ? {} : { timestamp }), data: { point: value } },
    });
  return { alarmId: alarm.body.id as string, report };
}
