import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, ConnectionError, createClient, FieldwatchError } from '@fieldwatch/client';
import { type Defaults, parseFlags, type Settings } from './flags.ts';
import { simulateLorawan } from './lorawan/index.ts';
import { createFleet } from './model/index.ts';
import { provision } from './provision/index.ts';
import { createConnections, createPublisher } from './publish/index.ts';
import { reasonOf } from './reason.ts';

export interface Environment {
  readonly args: readonly string[];
  readonly defaults: Defaults;
  readonly now: () => number;
  readonly say: (line: string) => void;
  readonly complain: (line: string) => void;
  /** Aborted to stop. */
  readonly signal: AbortSignal;
}

const SECOND = 1_000;
const DAY = 86_400 * SECOND;
const READY_TRIES = 30;
const READY_PAUSE_MS = 2 * SECOND;
const RETRY_TIMEOUT_MS = 300 * SECOND;
const INCIDENT_AFTER_MS = 60 * SECOND;
const INCIDENT_MS = 3_600 * SECOND;

/** Runs the simulator, and returns the exit code of the command. */
export async function simulate(environment: Environment): Promise<number> {
  const { args, defaults, say, complain } = environment;
  const parsed = parseFlags(args, defaults);
  if ('help' in parsed) {
    say(parsed.help);
    return 0;
  }
  if ('problems' in parsed) {
    for (const problem of parsed.problems) complain(problem);
    return 2;
  }
  try {
    await run(parsed.settings, environment);
    return 0;
  } catch (error) {
    if (environment.signal.aborted) return 0;
    complain(reasonOf(error, parsed.settings.url));
    return 1;
  }
}

async function run(settings: Settings, environment: Environment): Promise<void> {
  const { now, say, signal } = environment;
  const { url, organizationId, credentials, sites, seed } = settings;
  const limit = settings.forSeconds > 0 ? [AbortSignal.timeout(settings.forSeconds * SECOND)] : [];
  const stop = AbortSignal.any([signal, ...limit]);
  const client = createClient({ baseUrl: url, credentials });
  if (!(await untilReady(client, settings, { say, stop }))) return;
  if (settings.lorawan !== null) {
    const intervalMs = settings.intervalSeconds * SECOND;
    const target = { client, organizationId };
    const broker = settings.lorawan;
    await simulateLorawan({ target, broker, seed, intervalMs, now, say, signal: stop });
    return;
  }
  const start = now();
  const fleet = createFleet({
    sites,
    seed,
    intervalMs: settings.intervalSeconds * settings.speed * SECOND,
    ...(settings.hasIncident ? { outages: [incidentAfter(start, settings.speed)] } : {}),
  });
  const isUser = 'email' in credentials;
  const members = await provision({ client, organizationId, isUser, say }, fleet);
  const connections = createConnections({
    url: settings.mqtt,
    credentials: members.credentials,
    retryTimeoutMs: RETRY_TIMEOUT_MS,
    say,
  });
  const publisher = createPublisher({ fleet, members, connections, now, say, signal: stop });
  try {
    await publish(publisher, settings, start, say, stop);
    await publisher.finish();
  } finally {
    await connections.end();
    say(`${publisher.sent()} readings acknowledged in all.`);
  }
}

async function publish(
  publisher: ReturnType<typeof createPublisher>,
  { days, sites, speed, intervalSeconds }: Settings,
  start: number,
  say: (line: string) => void,
  stop: AbortSignal,
): Promise<void> {
  if (days > 0) {
    say(`Publishing ${days} days of history …`);
    await publisher.history(start - days * DAY, start);
  }
  if (stop.aborted) return;
  const faster = speed > 1 ? `, ${speed} times faster than life` : '';
  say(`Publishing ${sites} sites every ${intervalSeconds} s${faster}. Ctrl-C stops.`);
  await publisher.live(start, speed);
}

/** Begins after a minute and lasts an hour by the clock, whatever the speed of the fleet. */
function incidentAfter(start: number, speed: number) {
  const from = start + INCIDENT_AFTER_MS * speed;
  return { from, to: from + INCIDENT_MS * speed };
}

/** Waits up to a minute for a server that is starting. False at a stop. */
async function untilReady(
  client: Client,
  { url }: Settings,
  { say, stop }: { readonly say: (line: string) => void; readonly stop: AbortSignal },
): Promise<boolean> {
  for (let tries = 1; !stop.aborted; tries += 1) {
    try {
      await client.checkReadiness();
      return true;
    } catch (error) {
      const isUnavailable = error instanceof ConnectionError || isStatus(error, 503);
      if (!isUnavailable || tries === READY_TRIES) throw error;
      if (tries === 1) say(`The server is not ready at ${url}; trying again for a minute.`);
    }
    await sleep(READY_PAUSE_MS, undefined, { signal: stop }).catch(() => undefined);
  }
  return false;
}

function isStatus(error: unknown, status: number): boolean {
  return error instanceof FieldwatchError && error.status === status;
}
