import type { Readable } from 'node:stream';
import type { Operations } from '@fieldwatch/contract';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import type { Caller, Handler } from '../../src/http/index.ts';
import type { AlarmAnnouncement, AlarmSource, LiveReading } from '../../src/live/announcement.ts';
import { LIVE_LIMITS, type LiveLimits } from '../../src/live/limits.ts';
import { createLive } from '../../src/live/live.ts';
import { createLog } from '../../src/runtime/index.ts';
import { createTestClock } from './clock.ts';
import { startStorage } from './device-storage.ts';
import { NO_PEERS, SOLE_MEMBER } from './sole-owner.ts';

type Context = Parameters<Handler<Operations['followLive']>>[1];

export const ORGANIZATION = '018f0000-0000-7000-8000-0000000000ee';
export const DEVICE = '018f0000-0000-7000-8000-000000000001';
export const VARIABLE = '018f0000-0000-7000-8000-000000000002';

let ground: Awaited<ReturnType<typeof startStorage>>;

/** Called by each file that starts one: hooks belong to the file that registers them. */
export function prepareLive(): void {
  beforeAll(async () => {
    ground = await startStorage();
  });
  afterAll(() => ground.stop());
}

export function callerWith(permissions: readonly 'ReadAlarmConfigurations'[], id = 'key'): Caller {
  return {
    kind: 'API_KEY',
    id,
    name: id,
    sessionId: null,
    permissionsIn: (organizationId) =>
      organizationId === ORGANIZATION ? new Set(permissions) : undefined,
  };
}

const READER = callerWith(['ReadAlarmConfigurations']);

/** Alarm events by number, as an engine would keep them. */
export function memory() {
  const kept: AlarmAnnouncement[] = [];
  const source: AlarmSource = {
    newestId: async () => String(kept.length),
    after: async (_, id, limit) =>
      /^\d+$/.test(id) && Number(id) <= kept.length
        ? kept.slice(Number(id), Number(id) + limit)
        : null,
  };
  const raise = (deviceVariableId = VARIABLE): AlarmAnnouncement => {
    const event = { id: DEVICE, alarmId: DEVICE, deviceId: DEVICE, deviceVariableId };
    const alarm = { id: String(kept.length + 1), change: 'RAISED', event } as const;
    kept.push(alarm);
    return alarm;
  };
  return { source, raise };
}

export function startLive(limits: Partial<LiveLimits> = {}, more: { alarms?: AlarmSource } = {}) {
  const clock = createTestClock();
  const live = createLive({
    storage: ground.counted().storage,
    clock,
    log: createLog('silent'),
    alarms: more.alarms ?? memory().source,
    presenceOf: ({ lastSeenAt }) => ({ isOnline: true, lastSeenAt }),
    saveSeen: async () => undefined,
    peers: NO_PEERS,
    membership: SOLE_MEMBER,
    onlineMs: 60_000,
    limits: { ...LIVE_LIMITS, batchMs: 5, tickMs: 5, stopMs: 50, ...limits },
  });
  live.start();
  onTestFinished(() => live.stop());
  const follow = async (query: object = {}, given: Partial<Context> = {}): Promise<Readable> => {
    const caller = given.caller ?? READER;
    const context = { lastEventId: undefined, reauthorize: async () => caller, ...given, caller };
    const input = { params: { organizationId: ORGANIZATION }, query, body: undefined };
    return (await live.follow(input, context as Context)).events;
  };
  return { live, clock, follow };
}

/** Reads a stream as it comes. */
export function reading(stream: Readable) {
  let text = '';
  stream.setEncoding('utf8').on('data', (more: string) => {
    text += more;
  });
  return {
    text: () => text,
    ids: () => [...text.matchAll(/event: alarm\nid: (\S+)\n/g)].map(([, id]) => Number(id)),
    values: () =>
      [...text.matchAll(/event: readings\ndata: (.*)\n/g)].flatMap(([, data]) =>
        JSON.parse(data ?? '').map((item: { value: unknown }) => item.value),
      ),
  };
}

export function read(value: LiveReading['value'], at = 1, id = VARIABLE): LiveReading {
  return { variable: { id, deviceId: DEVICE, organizationId: ORGANIZATION }, at, value };
}

export const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
