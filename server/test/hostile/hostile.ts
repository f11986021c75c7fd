import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createAccessRig } from '../support/access.ts';
import { basic, bearer, send } from '../support/call.ts';
import { type Bystander, standBy } from './bystander.ts';
import { attackHttp } from './http-attack.ts';
import { attackMqtt } from './mqtt-attack.ts';
import type { DeviceCredentials } from './mqtt-packets.ts';
import {
  findingsOf,
  type Health,
  type HostilePlan,
  type HostileReport,
  hasStalled,
  sumOf,
} from './report.ts';

const SERVER = fileURLToPath(new URL('observed-server.mjs', import.meta.url));
const NODE_FLAGS = ['--v8-pool-size=1', '--max-semi-space-size=32', '--expose-gc'];
const SECRET = 'hostile-secret-of-forty-characters-in-all';
const PASSWORD = 'a long enough password of people';
const RELEASE_TIMEOUT_MS = 60_000;
const DEVICES = 8;
/** Before memory and stalls are measured: what is compiled and cached on first use is no leak. */
const WARM_UP_REQUESTS = 1_000;
const WARM_UP_PACKETS = 3_000;

interface Installation {
  readonly organizationId: string;
  readonly email: string;
  readonly keyId: string;
  readonly env: Readonly<Record<string, string>>;
}

interface Running {
  readonly child: ChildProcess;
  readonly url: string;
  readonly mqttPort: number;
}

/**
 * Attacks a real server process over HTTP and MQTT while a bystander goes on working. A stall of the
 * server itself occurs again with the same seed. One of the machine, whose processor may be taken
 * away by others in the middle of a callback, does not, so it counts only when it was there twice.
 */
export async function beHostile(plan: HostilePlan): Promise<HostileReport> {
  const first = await attackOnce(plan);
  if (!hasStalled(first)) return first;
  const second = await attackOnce(plan);
  const longestBlockMs = Math.min(first.after.longestBlockMs, second.after.longestBlockMs);
  const findings = [first, second].flatMap((report) =>
    findingsOf({ ...report, after: { ...report.after, longestBlockMs } }),
  );
  return { ...first, findings };
}

async function attackOnce(plan: HostilePlan): Promise<HostileReport> {
  const attacked = installation('attacked', plan.env);
  const neighbour = installation('neighbour', plan.env);
  await makeOrganization(neighbour);
  const running = await start(attacked);
  try {
    return await attack(plan, running, { attacked, neighbour });
  } finally {
    await end(running);
  }
}

async function attack(
  plan: HostilePlan,
  running: Running,
  { attacked, neighbour }: { attacked: Installation; neighbour: Installation },
): Promise<HostileReport> {
  const begun = performance.now();
  const { devices, credentials, protectedIds } = await prepare(running, attacked);
  const bystander = await prepareBystander(running, neighbour);
  const http = (requests: number, seed: number) =>
    attackHttp({
      url: running.url,
      organizationId: attacked.organizationId,
      requests,
      seed,
      credentials,
      protectedIds,
    });
  const mqtt = (packets: number, seed: number) =>
    attackMqtt({ port: running.mqttPort, packets, seed, devices });
  const [warmUpHttp, warmUpMqtt] = await Promise.all([
    http(WARM_UP_REQUESTS, plan.seed + 1),
    mqtt(WARM_UP_PACKETS, plan.seed + 1),
  ]);
  const before = await healthOf(running, 'reset');
  const finish = standBy(bystander);
  const [httpReport, mqttReport] = await Promise.all([
    http(Math.max(0, plan.requests - WARM_UP_REQUESTS), plan.seed),
    mqtt(Math.max(0, plan.packets - WARM_UP_PACKETS), plan.seed),
  ]);
  const bystanderReport = await finish();
  const after = await releasedHealth(running, before);
  const { env: _, ...rest } = plan;
  const report = {
    plan: rest,
    seconds: Math.round((performance.now() - begun) / 1000),
    http: {
      statuses: sumOf(warmUpHttp.statuses, httpReport.statuses),
      findings: [...warmUpHttp.findings, ...httpReport.findings],
    },
    mqtt: sumOf(warmUpMqtt, mqttReport),
    bystander: bystanderReport,
    before,
    after,
  };
  return { ...report, findings: findingsOf(report) };
}

function installation(name: string, env: HostilePlan['env']): Installation {
  const organizationId = randomUUID();
  const email = `${name}-${organizationId}@example.com`;
  const keyId = `${name}-${organizationId}`;
  return {
    organizationId,
    email,
    keyId,
    env: {
      PATH: process.env.PATH ?? '',
      FIELDWATCH_HTTP_HOST: '127.0.0.1',
      FIELDWATCH_HTTP_PORT: '0',
      FIELDWATCH_MQTT_PORT: '0',
      FIELDWATCH_LOG_LEVEL: 'error',
      FIELDWATCH_REQUESTS_PER_MINUTE: '0',
      FIELDWATCH_ORGANIZATION_ID: organizationId,
      FIELDWATCH_ADMIN_EMAIL: email,
      FIELDWATCH_ADMIN_PASSWORD: PASSWORD,
      FIELDWATCH_API_KEY_ID: keyId,
      FIELDWATCH_API_KEY_SECRET: SECRET,
      FIELDWATCH_SECRET_KEY: SECRET,
      ...env,
    },
  };
}

/** As the start of a server makes its own; both organizations are then on one installation. */
async function makeOrganization({ organizationId, email, keyId, env }: Installation) {
  const { access, stop } = await createAccessRig({ databaseUrl: env.DATABASE_URL ?? '' });
  const own = { organizationId, adminEmail: email, adminPassword: PASSWORD };
  await access.bootstrap({ ...own, apiKeyId: keyId, apiKeySecret: SECRET }).finally(stop);
}

async function start({ env }: Installation): Promise<Running> {
  const child = spawn(process.execPath, [...NODE_FLAGS, SERVER], {
    env,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let output = '';
  const ready = new Promise<Omit<Running, 'child'>>((resolve, reject) => {
    const onData = (chunk: Buffer) => {
      output += chunk;
      const url = /ready at (http:\S+)/.exec(output)?.[1];
      const mqttPort = /MQTT +mqtts?:\S+:(\d+)/.exec(output)?.[1];
      if (url && mqttPort) resolve({ url, mqttPort: Number(mqttPort) });
    };
    child.stdout?.on('data', onData);
    child.stderr?.on('data', onData);
    child.once('exit', () => reject(new Error(`the server ended before it was ready:\n${output}`)));
  });
  return { child, ...(await ready) };
}

async function end({ child }: Running): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}

/** To `count`, the heap is that with its garbage, which takes long to collect. */
async function healthOf(
  { child }: Running,
  question: 'reset' | 'collect' | 'count',
): Promise<Health> {
  const answer = once(child, 'message');
  child.send(question);
  const [health] = await answer;
  return health as Health;
}

/** The health once what the attack held is released, or after the time that it may take. */
async function releasedHealth(running: Running, before: Health): Promise<Health> {
  const deadline = performance.now() + RELEASE_TIMEOUT_MS;
  const isReleased = async () =>
    (await healthOf(running, 'count')).descriptors <= before.descriptors;
  while (!(await isReleased()) && performance.now() < deadline) await pause(500);
  return healthOf(running, 'collect');
}

async function signIn({ url }: Running, email: string): Promise<string> {
  const body = { email, password: PASSWORD };
  const answer = await send(url, 'POST', '/auth/v1/token', { body });
  if (answer.status !== 200) throw new Error(`sign-in answered ${answer.text}`);
  return bearer(answer.body.accessToken);
}

async function created(running: Running, path: string, auth: string, body: unknown) {
  const answer = await send(running.url, 'POST', path, { auth, body });
  if (answer.status !== 201) throw new Error(`${path} answered ${answer.text}`);
  return answer.body;
}

async function prepare(running: Running, { organizationId, keyId, email }: Installation) {
  const base = `/primary/v1/${organizationId}`;
  const key = basic(keyId, SECRET);
  const administrator = await signIn(running, email);
  const devices: DeviceCredentials[] = [];
  const deviceIds: string[] = [];
  for (let index = 0; index < DEVICES; index += 1) {
    const device = await created(running, `${base}/devices`, key, {
      type: 'CUSTOM_DEVICE',
      name: `Attacked ${index}`,
    });
    deviceIds.push(device.id);
    devices.push(device.credentials);
    for (const path of ['engine.rpm', 'engine.hot', 'bare/scalar']) {
      await created(running, `${base}/devices/${device.id}/variables`, key, {
        topicPropertyPath: path,
        type: path.endsWith('hot') ? 'BOOLEAN' : 'NUMBER',
        name: 'Attacked',
        isLoggingEnabled: true,
      });
    }
  }
  const me = await send(running.url, 'GET', '/auth/v1/me', { auth: administrator });
  const sessions = await send(running.url, 'GET', '/auth/v1/sessions', { auth: administrator });
  const sessionIds = sessions.body.items.map(({ id }: { id: string }) => id);
  return {
    devices,
    credentials: [administrator, key],
    protectedIds: [...deviceIds, ...sessionIds, keyId, String(me.body.id)],
  };
}

async function prepareBystander(
  running: Running,
  { organizationId, keyId }: Installation,
): Promise<Bystander> {
  const base = `/primary/v1/${organizationId}`;
  const authorization = basic(keyId, SECRET);
  const { id, credentials } = await created(running, `${base}/devices`, authorization, {
    type: 'CUSTOM_DEVICE',
    name: 'Bystander',
  });
  const variable = await created(running, `${base}/devices/${id}/variables`, authorization, {
    topicPropertyPath: 'count',
    type: 'NUMBER',
    name: 'Count',
    isLoggingEnabled: true,
  });
  const { url, mqttPort } = running;
  return {
    url,
    mqttPort,
    organizationId,
    authorization,
    device: credentials,
    variableId: variable.id,
  };
}
