import { type Client, createClient } from '@fieldwatch/client';
import { createFleet, type Fleet } from '../model/index.ts';
import { type Provisioned, provision, variableId } from '../provision/index.ts';
import { createConnections, createPublisher } from '../publish/index.ts';
import { reasonOf } from '../reason.ts';
import type { DemoFlags } from './flags.ts';
import { answerPages, handleIncident } from './handling.ts';
import { publishLorawanSite } from './lorawan.ts';
import { provideMaintenance, provideOnCall } from './on-call.ts';
import { provideOverview } from './overview.ts';
import { continued, EMPTY_STORY, type Story } from './story.ts';

/** The server of the demo, which has just been started. */
export interface DemoServer {
  readonly url: string;
  readonly mqtt: string;
  readonly organizationId: string;
  readonly email: string;
  readonly password: string;
}

export interface DemoEnvironment {
  readonly server: DemoServer;
  readonly flags: DemoFlags;
  /** The faults of earlier runs; null in the first one. */
  readonly story: Story | null;
  /** Stores the faults for the next run. */
  readonly keep: (story: Story) => void;
  readonly now: () => number;
  readonly say: (line: string) => void;
  readonly complain: (line: string) => void;
  /** Aborted to stop. */
  readonly signal: AbortSignal;
}

const ORGANIZATION_NAME = 'Demo organization';
const DAY = 86_400_000;
const RETRY_TIMEOUT_MS = 60_000;

/** Fills a demo server with a fleet and its history, then publishes. Returns the exit code. */
export async function demonstrate(environment: DemoEnvironment): Promise<number> {
  try {
    await run(environment);
    return 0;
  } catch (error) {
    if (environment.signal.aborted) return 0;
    environment.complain(`The demo fleet has stopped. ${reasonOf(error, environment.server.url)}`);
    return 1;
  }
}

async function run(environment: DemoEnvironment): Promise<void> {
  const { server, flags, now, say, signal } = environment;
  const { url, organizationId, email, password } = server;
  const client = createClient({ baseUrl: url, credentials: { email, password } });
  const target = { client, organizationId, isUser: true, say };
  const { sites, seed } = flags;
  const intervalMs = flags.intervalSeconds * 1_000;
  const options = { sites, seed, intervalMs };
  if (environment.story === null) {
    await client.updateOrganization({ organizationId, body: { name: ORGANIZATION_NAME } });
  }
  const known = createFleet(options);
  const provisioned = await provision(target, known);
  await provideOverview(target, known, provisioned);

  const start = now();
  await provideOnCall(target, { email, now: start });
  await provideMaintenance(target, known, provisioned, start);
  const reportedUntil = await lastReport(client, organizationId, known, provisioned);
  const moment = { now: start, reportedUntil, seed, intervalMs };
  const story = continued(environment.story ?? EMPTY_STORY, moment);
  environment.keep(story);
  const fleet = createFleet({ ...options, ...story });
  const connections = createConnections({
    url: server.mqtt,
    credentials: provisioned.credentials,
    retryTimeoutMs: RETRY_TIMEOUT_MS,
    say,
  });
  const parts = { fleet, members: provisioned, connections, now, say, signal };
  const publisher = createPublisher(parts);
  try {
    const from = Math.max((reportedUntil ?? 0) + 1, start - flags.days * DAY);
    say(`Publishing the history of ${sites} sites, ${lengthOf(start - from)} …`);
    await publisher.history(from, start);
    if (signal.aborted) return;
    const seconds = Math.round((now() - start) / 1_000);
    say(`The history is there: ${publisher.sent()} readings in ${seconds} s.`);
    await handleIncident(target, fleet, now());
    await answerPages(target, fleet);
    say(`The fleet goes on publishing every ${flags.intervalSeconds} s. Ctrl-C stops everything.`);
    await Promise.all([
      publisher.live(start, 1),
      publishLorawanSite(target, { seed, now, signal }),
    ]);
    await publisher.finish();
  } finally {
    await connections.end();
  }
}

/** When the first site last reported. */
async function lastReport(
  client: Client,
  organizationId: string,
  { sites: [site] }: Fleet,
  provisioned: Provisioned,
): Promise<number | null> {
  const id = variableId(provisioned, { device: `${site?.name}: Switchboard`, path: 'total.kw' });
  const query = { ids: [id] };
  const { items } = await client.listLatestValues({ organizationId, query });
  return items[0]?.timestamp ?? null;
}

function lengthOf(ms: number): string {
  const hours = ms / 3_600_000;
  return hours < 1 ? `${Math.ceil(hours * 60)} minutes` : `${Math.round(hours)} hours`;
}
