import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createOpenDirectory } from './open-directory.ts';
import { freePort, opened } from './ports.ts';

const START_LIMIT_MS = 10_000;
const PATH = `${process.env.PATH}:/usr/sbin:/usr/local/sbin`;

/** `npm test` installs the programs on Debian, where the user may. */
export function requireMosquitto(): void {
  if (spawnSync('mosquitto', ['-h'], { env: { PATH } }).error === undefined) return;
  throw new Error('These tests need mosquitto, mosquitto_pub and mosquitto_sub: install them.');
}

export interface Ran {
  readonly code: number | null;
  readonly output: string;
}

/** Runs one of the clients to its end. */
export async function run(
  program: 'mosquitto_pub' | 'mosquitto_sub',
  args: readonly string[],
  input = '',
): Promise<Ran> {
  const child = spawn(program, args, { env: { PATH } });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  child.stderr.on('data', (chunk) => {
    output += chunk;
  });
  // A client that is refused ends without reading; its exit code shows it.
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  const [code] = await once(child, 'close');
  return { code, output };
}

export interface Mosquitto {
  readonly url: string;
  readonly port: number;
  /** Stops it in an orderly way and starts it again, with what it has stored. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** A broker of the operator's, on loopback. */
export async function startMosquitto(settings = 'persistence false'): Promise<Mosquitto> {
  const port = await freePort();
  const directory = createOpenDirectory('fieldwatch-mosquitto-');
  const file = join(directory.path, 'mosquitto.conf');
  const lines = [`listener ${port} 127.0.0.1`, 'allow_anonymous true', settings];
  writeFileSync(file, `${lines.join('\n')}\npersistence_location ${directory.path}/\n`);
  const start = async () => {
    const child = spawn('mosquitto', ['-c', file], { env: { PATH }, stdio: 'ignore' });
    const hasEnded = () => child.exitCode !== null;
    await opened(port, { name: 'mosquitto', limitMs: START_LIMIT_MS, hasEnded });
    return child;
  };
  const end = async () => {
    const closed = once(child, 'close');
    child.kill();
    await closed;
  };
  let child = await start();
  return {
    port,
    url: `mqtt://127.0.0.1:${port}`,
    async restart() {
      await end();
      child = await start();
    },
    async stop() {
      await end();
      directory.remove();
    },
  };
}
