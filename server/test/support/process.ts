import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../dist/bundle/main.js', import.meta.url));

/**
 * For processes that live for seconds: V8 spends a quarter of the processor time of a start on
 * optimizing code that then hardly runs, and a tenth on collections of a nursery that grows from a
 * megabyte to its size.
 */
export const SHORT_LIVED = ['--no-opt', '--min-semi-space-size=16'];

/** A server in a process of its own, as it runs in production. */
export interface ServerProcess {
  readonly child: ChildProcess;
  /** All that it has printed. */
  output(): string;
  /** The address it prints when it is ready; rejects with the output when it ends before that. */
  readonly ready: Promise<string>;
  readonly ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

export function spawnServer(env: Readonly<Record<string, string>>): ServerProcess {
  const child = spawn(process.execPath, [...SHORT_LIVED, MAIN], {
    env: {
      PATH: process.env.PATH ?? '',
      FIELDWATCH_HTTP_HOST: '127.0.0.1',
      FIELDWATCH_HTTP_PORT: '0',
      FIELDWATCH_MQTT_PORT: '0',
      FIELDWATCH_LOG_LEVEL: 'warn',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const ended: ServerProcess['ended'] = new Promise((resolve) => {
    child.on('close', (code, signal) => resolve({ code, signal }));
  });
  const ready = new Promise<string>((resolve, reject) => {
    const onData = (chunk: Buffer) => {
      output += chunk;
      const address = /ready at (http:\S+)/.exec(output)?.[1];
      if (address) resolve(address);
    };
    child.stdout.on('data', onData);
    child.stderr.on('data', onData);
    void ended.then(() => reject(new Error(`the server ended before it was ready:\n${output}`)));
  });
  // Whoever waits for the end alone must not get this as an unhandled rejection.
  ready.catch(() => undefined);
  return { child, output: () => output, ready, ended };
}
