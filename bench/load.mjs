// HTTP load from a second process: `node load.mjs` reads its task from its arguments and prints a rate.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const CONNECTIONS = 50;

/** Requests per second that the address answered with 2xx. */
export async function load(url, requests, { authorization, seconds }) {
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), 'run'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end(JSON.stringify({ url, requests, authorization, seconds }));
  let output = '';
  for await (const chunk of child.stdout) output += chunk;
  const { rate, bad } = JSON.parse(output);
  if (bad > 0) throw new Error(`${bad} requests to ${url} were not answered with 2xx`);
  return rate;
}

async function run() {
  let input = '';
  for await (const chunk of process.stdin) input += chunk;
  const { url, requests, authorization, seconds } = JSON.parse(input);
  const { default: autocannon } = await import('autocannon');
  const result = await autocannon({
    url,
    connections: CONNECTIONS,
    duration: seconds,
    requests: requests.map((request) => ({
      ...request,
      headers: { authorization, ...request.headers },
    })),
  });
  const bad = result.non2xx + result.errors + result.timeouts;
  process.stdout.write(JSON.stringify({ rate: result['2xx'] / result.duration, bad }));
}

if (process.argv[2] === 'run') await run();
