import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { postmasterPid } from './storage-control.ts';

const MAIN = fileURLToPath(new URL('../../dist/bundle/main.js', import.meta.url));
const CLOCK = new URL('shifted-clock.mjs', import.meta.url).href;
/** Those of `npm start`. */
export const NODE_FLAGS = ['--v8-pool-size=1', '--max-semi-space-size=32'];
const START_LIMIT_MS = 120_000;
const STOP_LIMIT_MS = 60_000;

export const KEY = {
  apiKeyId: 'torture-key',
  apiKeySecret: 'torture-secret-0123456789-0123456789',
};
export const ORGANIZATION_ID = '018f0000-0000-7000-8000-0000000000af';

export interface ServiceOptions {
  readonly dataDir: string;
  readonly logFile: string;
  readonly env: Readonly<Record<string, string>>;
  /** Of Node, for the server. */
  readonly nodeFlags: readonly string[];
}

/** The server as `npm start` runs it, in a process that may be killed and started again. */
export class Service {
  readonly #options: ServiceOptions;
  readonly #log: WriteStream;
  #child: ChildProcess | undefined;
  #offsetMs = 0;
  #starts = 0;
  /** Where it listens now; 0 while it has not started. */
  httpPort = 0;
  mqttPort = 0;

  constructor(options: ServiceOptions) {
    this.#options = options;
    this.#log = createWriteStream(options.logFile);
  }

  get starts(): number {
    return this.#starts;
  }

  /** Resolves when it says that it is ready. */
  async start(): Promise<void> {
    this.#starts += 1;
    const child = spawn(process.execPath, [...this.#options.nodeFlags, '--import', CLOCK, MAIN], {
      env: {
        PATH: process.env.PATH ?? '',
        TORTURE_CLOCK_OFFSET_MS: String(this.#offsetMs),
        FIELDWATCH_DATA_DIR: this.#options.dataDir,
        FIELDWATCH_HTTP_HOST: '127.0.0.1',
        FIELDWATCH_HTTP_PORT: '0',
        FIELDWATCH_MQTT_PORT: '0',
        FIELDWATCH_LOG_LEVEL: 'info',
        FIELDWATCH_ORGANIZATION_ID: ORGANIZATION_ID,
        FIELDWATCH_API_KEY_ID: KEY.apiKeyId,
        FIELDWATCH_API_KEY_SECRET: KEY.apiKeySecret,
        FIELDWATCH_REQUESTS_PER_MINUTE: '0',
        FIELDWATCH_MQTT_MESSAGES_PER_SECOND: '0',
        FIELDWATCH_OUTBOUND_ALLOW: '127.0.0.1',
        ...this.#options.env,
      },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    this.#child = child;
    let output = '';
    const seen = new Promise<void>((resolve, reject) => {
      const onData = (chunk: Buffer) => {
        this.#log.write(chunk);
        if (this.#child !== child || this.httpPort !== 0) return;
        output += chunk;
        const http = /ready at http:\/\/[^:]+:(\d+)/.exec(output)?.[1];
        const mqtt = /MQTT +mqtts?:\S+:(\d+)/.exec(output)?.[1];
        if (http && mqtt) {
          this.httpPort = Number(http);
          this.mqttPort = Number(mqtt);
          resolve();
        }
      };
      child.stdout?.on('data', onData);
      child.stderr?.on('data', onData);
      child.once('exit', () => reject(new Error(`the server ended:\n${output.slice(-4_000)}`)));
    });
    this.httpPort = 0;
    this.mqttPort = 0;
    await within(seen, START_LIMIT_MS, 'a start of the server');
  }

  async kill(): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    this.httpPort = 0;
    this.mqttPort = 0;
    child.kill('SIGKILL');
    await exited;
  }

  signal(name: 'SIGSTOP' | 'SIGCONT'): void {
    this.#child?.kill(name);
  }

  async setClock(offsetMs: number): Promise<void> {
    this.#offsetMs = offsetMs;
    const child = this.#child;
    if (!child) return;
    const confirmed = once(child, 'message');
    child.send({ offsetMs });
    await within(confirmed, START_LIMIT_MS, 'a confirmation of the clock');
  }

  /** In good order. It may be started again. */
  async terminate(): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGCONT');
    child.kill('SIGTERM');
    await within(exited, STOP_LIMIT_MS, 'a stop').catch(() => this.kill());
    this.httpPort = 0;
    this.mqttPort = 0;
  }

  /** For good; also ends a PostgreSQL that a killed server left behind. */
  async stop(): Promise<void> {
    await this.terminate();
    const pid = postmasterPid(this.#options.dataDir);
    if (pid !== null) {
      process.kill(pid, 'SIGCONT');
      process.kill(pid, 'SIGINT');
      for (let tries = 0; tries < 100 && postmasterPid(this.#options.dataDir); tries += 1) {
        await sleep(100);
      }
    }
    this.#log.end();
  }

  /** Resident memory of the server's process, in bytes; 0 where that cannot be read. */
  async memory(): Promise<number> {
    const path = join('/proc', String(this.#child?.pid), 'status');
    const text = await readFile(path, 'utf8').catch(() => '');
    return Number(/VmRSS:\s+(\d+) kB/.exec(text)?.[1] ?? 0) * 1024;
  }
}

export async function within<T>(work: Promise<T>, limitMs: number, what: string): Promise<T> {
  const stop = new AbortController();
  const late = sleep(limitMs, undefined, { signal: stop.signal }).then(() => {
    throw new Error(`${what}: not within ${limitMs / 1_000} s`);
  });
  late.catch(() => undefined);
  try {
    return await Promise.race([work, late]);
  } finally {
    stop.abort();
  }
}
