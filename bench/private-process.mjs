// A server of another product as a private process: on loopback, with a directory of its own.
import { spawn } from 'node:child_process';
import { accessSync, constants, readdirSync, statSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { createServer } from 'node:net';
import { delimiter, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const READY_LIMIT_MS = 60_000;
const STOP_LIMIT_MS = 60_000;
const ANSWER_LIMIT_MS = 120_000;
const LOOK_EVERY_MS = 100;
const KEPT_OUTPUT = 4_000;

/** The program's path, or undefined where it is not installed. */
export function findProgram(name) {
  const places = (process.env.PATH ?? '').split(delimiter).map((place) => join(place, name));
  return places.find((path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

export async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

export async function until(isSo, limitMs, what) {
  const end = performance.now() + limitMs;
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error(`${what}: not within ${limitMs / 1000} s`);
    await pause(LOOK_EVERY_MS);
  }
}

/** Sends a request over a kept-alive connection, and returns the bytes of a 2xx response. */
export function createAsking(port, common = {}) {
  const agent = new Agent({ keepAlive: true });
  return function ask(path, body = undefined, special = {}) {
    return new Promise((resolve, reject) => {
      const method = body === undefined ? 'GET' : 'POST';
      const headers = { ...common, ...special };
      const to = { host: '127.0.0.1', port, path, method, headers };
      const options = { ...to, agent, timeout: ANSWER_LIMIT_MS };
      const asked = request(options, async (answer) => {
        try {
          const chunks = [];
          for await (const chunk of answer) chunks.push(chunk);
          const bytes = Buffer.concat(chunks);
          if (answer.statusCode >= 200 && answer.statusCode < 300) resolve(bytes);
          else reject(new Error(`${path.slice(0, 80)} answered ${answer.statusCode}: ${bytes}`));
        } catch (error) {
          reject(error);
        }
      });
      asked.on('timeout', () => asked.destroy(new Error(`${path.slice(0, 80)}: no answer`)));
      asked.on('error', reject);
      asked.end(body);
    });
  };
}

const running = new Set();
// The last resort, for a benchmark that ends before it could stop them.
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** Starts the process and waits until `healthPath` answers with 2xx on the port. */
export async function startPrivate(program, { args = [], env = {}, port, healthPath }) {
  const child = spawn(program, args, {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (data) => {
      output = (output + data).slice(-KEPT_OUTPUT);
    });
  }
  let hasEnded = false;
  const gone = new Promise((resolve) => {
    child.once('close', resolve);
    child.once('error', resolve);
  }).then(() => {
    hasEnded = true;
    running.delete(child);
  });
  const ask = createAsking(port);
  const isReady = () => {
    if (hasEnded) throw new Error(`${program} ended:\n${output}`);
    return ask(healthPath).then(
      () => true,
      () => false,
    );
  };
  await until(isReady, READY_LIMIT_MS, `${program} ready`);
  return {
    ask,
    pid: child.pid,
    async kill() {
      child.kill('SIGKILL');
      await gone;
    },
    async stop() {
      child.kill('SIGTERM');
      const killing = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS);
      await gone;
      clearTimeout(killing);
    },
  };
}

/** Bytes of the files below a directory. */
export function bytesIn(directory) {
  let bytes = 0;
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) bytes += bytesIn(path);
    else if (entry.isFile()) bytes += statSync(path).size;
  }
  return bytes;
}
