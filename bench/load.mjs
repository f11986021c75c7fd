// HTTP load from a second process: `node load.mjs` reads its task from its arguments and prints a rate.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const CONNECTIONS = 50;

/**
 * Requests per second that the address answered with 2xx. Every connection makes all requests in
 * turn, or with `isDivided` a share of its own.
 */
export async function load(url, requests, { authorization, seconds, isDivided = false }) {
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), 'run'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end(JSON.stringify({ url, requests, authorization, seconds, isDivided }));
  let output = '';
  for await (const chunk of child.stdout) output += chunk;
  const { rate, bad } = JSON.parse(output);
  if (bad > 0) throw new Error(`${bad} requests to ${url} were not answered with 2xx`);
  return rate;
}

async function run() {
  let input = '';
  for await (const chunk of process.stdin) input += chunk;
  const { url, requests, authorization, seconds, isDivided } = JSON.parse(input);
  const { default: autocannon } = await import('autocannon');
  const authorized = requests.map((request) => ({
    ...request,
    headers: { authorization, ...request.headers },
  }));
  let connections = 0;
  const result = await autocannon({
    url,
    connections: CONNECTIONS,
    duration: seconds,
    // Every connection copies this list, so that a divided one begins short.
    requests: isDivided ? authorized.slice(0, 1) : authorized,
    setupClient(client) {
      if (!isDivided) return;
      const own = connections;
      connections += 1;
      client.setRequests(authorized.filter((_, index) => index % CONNECTIONS === own));
    },
  });
  const bad = result.non2xx + result.errors + result.timeouts;
  process.stdout.write(JSON.stringify({ rate: result['2xx'] / result.duration, bad }));
}

if (process.argv[2] === 'run') await run();
