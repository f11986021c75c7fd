import { spawn } from 'node:child_process';
import { dirname, parse } from 'node:path';

/** A user of the operating system. */
export interface Account {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

export interface Outcome {
  readonly ok: boolean;
  /** Standard output and standard error, the last part of them. */
  readonly output: string;
}

const MAX_OUTPUT_LENGTH = 16_384;

/**
 * How PostgreSQL's programs are spawned. The environment is our own choice, since PG* variables
 * of the caller would reach them; the directory is one that every user can enter.
 */
export function spawnOptions(file: string, account: Account | null) {
  return {
    cwd: process.platform === 'win32' ? dirname(file) : parse(file).root,
    env: { PATH: '/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C', TZ: 'UTC' },
    ...(account && { uid: account.uid, gid: account.gid }),
  };
}

/** Runs a program to its end, as the account or (null) as ourselves. Never rejects. */
export function run(
  file: string,
  args: readonly string[],
  account: Account | null,
  limitMs: number,
): Promise<Outcome> {
  return new Promise((resolve) => {
    let output = '';
    const child = spawn(file, args, {
      ...spawnOptions(file, account),
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: limitMs,
      killSignal: 'SIGKILL',
    });
    const keep = (text: string) => {
      output = (output + text).slice(-MAX_OUTPUT_LENGTH);
    };
    child.stdout.setEncoding('utf8').on('data', keep);
    child.stderr.setEncoding('utf8').on('data', keep);
    child.once('error', (error) => resolve({ ok: false, output: error.message }));
    child.once('close', (code, signal) => {
      if (signal) keep(`ended by ${signal}`);
      resolve({ ok: code === 0, output: output.trim() });
    });
  });
}
