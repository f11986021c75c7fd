import type { Readable } from 'node:stream';
import type { Operations } from '@fieldwatch/contract';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createTestClock } from '../../test/support/clock.ts';
import { startStorage } from '../../test/support/entries.ts';
import type { Caller, Handler } from '../http/index.ts';
import { createLog, Failure } from '../runtime/index.ts';
import type { AlarmAnnouncement, AlarmSource, LiveReading } from './announcement.ts';
import { LIVE_LIMITS, type LiveLimits } from './limits.ts';
import { createLive, type Live } from './live.ts';

type Context = Parameters<Handler<Operations['followLive']>>[1];

const ORGANIZATION = '018f0000-0000-7000-8000-0000000000ee';
const DEVICE = '018f0000-0000-7000-8000-000000000001';
const VARIABLE = '018f0000-0000-7000-8000-000000000002';

let ground: Awaited<ReturnType<typeof startStorage>>;
const running: Live[] = [];

beforeAll(async () => {
  ground = await startStorage();
});

afterAll(() => ground.stop());

afterEach(async () => {
  await Promise.all(running.splice(0).map((live) => live.stop()));
});

function callerWith(permissions: readonly 'ReadAlarmConfigurations'[], id = 'key'): Caller {
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
function memory() {
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

function start(limits: Partial<LiveLimits> = {}, more: { alarms?: AlarmSource } = {}) {
  const clock = createTestClock();
  const live = createLive({
    storage: ground.counted().storage,
    clock,
    log: createLog('silent'),
    alarms: more.alarms ?? memory().source,
    presenceOf: ({ lastSeenAt }) => ({ isOnline: true, lastSeenAt }),
    saveSeen: async () => undefined,
    onlineMs: 60_000,
    limits: { ...LIVE_LIMITS, batchMs: 5, tickMs: 5, stopMs: 50, ...limits },
  });
  live.start();
  running.push(live);
  const follow = async (query: object = {}, given: Partial<Context> = {}): Promise<Readable> => {
    const caller = given.caller ?? READER;
    const context = { lastEventId: undefined, readmit: async () => caller, ...given, caller };
    const input = { params: { organizationId: ORGANIZATION }, query, body: undefined };
    return (await live.follow(input, context as Context)).events;
  };
  return { live, clock, follow };
}

/** Reads a stream as it comes. */
function reading(stream: Readable) {
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

function read(value: LiveReading['value'], at = 1, id = VARIABLE): LiveReading {
  return { variable: { id, deviceId: DEVICE, organizationId: ORGANIZATION }, at, value };
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

describe('alarm events', () => {
  it('come at once, each with an id', async () => {
    const { source, raise } = memory();
    const { live, follow } = start({}, { alarms: source });
    const reader = reading(await follow());
    live.announceAlarm(ORGANIZATION, raise());
    await expect.poll(reader.text).toContain('event: alarm\nid: 1\ndata: {"change":"RAISED",');
  });

  it('are resumed after the last that a reader got, page by page, none twice', async () => {
    const { source, raise } = memory();
    const all = upTo(7).map(() => raise());
    const { live, follow } = start({ resumePage: 2 }, { alarms: source });
    const stream = await follow({}, { lastEventId: '2' });
    for (const alarm of all.slice(5)) live.announceAlarm(ORGANIZATION, alarm);
    const reader = reading(stream);
    await expect.poll(reader.ids).toEqual([3, 4, 5, 6, 7]);
    live.announceAlarm(ORGANIZATION, all[6] as AlarmAnnouncement);
    live.announceAlarm(ORGANIZATION, raise());
    await expect.poll(reader.ids).toEqual([3, 4, 5, 6, 7, 8]);
  });

  it('are resumed by the query where no header can be sent; the header goes first', async () => {
    const { source, raise } = memory();
    for (const _ of upTo(4)) raise();
    const { follow } = start({}, { alarms: source });
    const byQuery = reading(await follow({ lastEventId: '3' }));
    const byBoth = reading(await follow({ lastEventId: '1' }, { lastEventId: '2' }));
    await expect.poll(byQuery.ids).toEqual([4]);
    await expect.poll(byBoth.ids).toEqual([3, 4]);
  });

  it.each(['unknown', '99', 'two\nlines', 'x'.repeat(101)])(
    'are said to be missing when the id is %j',
    async (lastEventId) => {
      const { source, raise } = memory();
      raise();
      const { follow } = start({}, { alarms: source });
      const reader = reading(await follow({}, { lastEventId }));
      await expect.poll(reader.text).toContain('{"values":0,"alarmEvents":true}');
      expect(reader.text()).toContain('event: ready\nid: 1\n');
    },
  );

  it('pass the filters like values', async () => {
    const { source, raise } = memory();
    const others = upTo(3).map(() => raise(DEVICE));
    const { live, follow } = start({ resumePage: 2 }, { alarms: source });
    const reader = reading(await follow({ variableIds: [VARIABLE] }, { lastEventId: '0' }));
    const all = reading(await follow({ deviceIds: [DEVICE] }, { lastEventId: '0' }));
    for (const alarm of others) live.announceAlarm(ORGANIZATION, alarm);
    await expect.poll(all.ids).toEqual([1, 2, 3]);
    expect(reader.ids()).toEqual([]);
  });

  it('are kept from who may not read them, also when that begins later', async () => {
    const { source, raise } = memory();
    const { live, follow, clock } = start({}, { alarms: source });
    const barred = reading(await follow({}, { caller: callerWith([]), lastEventId: '0' }));
    let asked = 0;
    const lowered = reading(
      await follow(
        {},
        {
          readmit: async () => {
            asked += 1;
            return callerWith([]);
          },
        },
      ),
    );
    const reader = reading(await follow());
    live.announceAlarm(ORGANIZATION, raise());
    await expect.poll(lowered.ids).toEqual([1]);
    clock.advance(LIVE_LIMITS.recheckMs);
    await expect.poll(() => asked).toBeGreaterThan(0);
    live.announceAlarm(ORGANIZATION, raise());
    await expect.poll(reader.ids).toEqual([1, 2]);
    expect([barred.ids(), lowered.ids()]).toEqual([[], [1]]);
    expect(barred.text()).not.toContain('id:');
  });

  it.each([
    [2, ''],
    [3, ''],
    [4, 'TOO_SLOW'],
  ])('up to 3 wait for a reader; with %i the stream ends %s', async (count, reason) => {
    const { source, raise } = memory();
    const { live, follow } = start({ maxWaitingAlarms: 3 }, { alarms: source });
    const stream = await follow();
    for (const _ of upTo(count)) live.announceAlarm(ORGANIZATION, raise());
    const reader = reading(stream);
    if (reason === '') await expect.poll(reader.ids).toEqual(upTo(count));
    else await expect.poll(reader.text).toContain(`event: end\ndata: {"reason":"${reason}"}`);
    expect(live.totals()).toMatchObject({ opened: 1, ...(reason && { too_slow: 1 }) });
  });

  it('that cannot be read end the stream, so that the reader comes again', async () => {
    let calls = 0;
    const source: AlarmSource = {
      newestId: async () => '1',
      after: async () => {
        calls += 1;
        if (calls > 1) throw new Failure('STORAGE_AWAY', 'Away.');
        return [];
      },
    };
    const { follow } = start({}, { alarms: source });
    const reader = reading(await follow({}, { lastEventId: '1' }));
    await expect.poll(reader.text).toContain('{"reason":"STORAGE_AWAY"}');
  });
});

describe('a reader who takes nothing', () => {
  /** Fills what lies between the stream and its reader, so that all else waits. */
  const stuff = 'x'.repeat(20_000);

  it('has one value of a Variable waiting: the newest by its time', async () => {
    const { live, follow } = start();
    const stream = await follow();
    const witness = reading(await follow());
    stream.read(0);
    live.announceReadings([read(stuff, 1, DEVICE)]);
    await expect.poll(() => stream.readableLength).toBeGreaterThan(20_000);
    const held = stream.readableLength;
    for (const at of upTo(5_000)) live.announceReadings([read(at, at)]);
    live.announceReadings([read('late', 17)]);
    await expect.poll(() => witness.values().at(-1)).toBe(5_000);
    expect(stream.readableLength).toBe(held);
    const reader = reading(stream);
    await expect.poll(reader.values).toEqual([stuff, 5_000]);
  });

  it.each([
    [9, 9, ''],
    [10, 10, ''],
    [11, 10, '"values":1,'],
  ])('has at most 10 Variables waiting: of %i he gets %i', async (count, got, missed) => {
    const { live, follow } = start({ maxWaitingWeight: 10, maxBatchValues: 4 });
    const stream = await follow();
    live.announceReadings(upTo(count).map((each) => read(each, 1, `variable-${each}`)));
    const reader = reading(stream);
    await expect.poll(reader.values).toEqual(upTo(got));
    if (missed === '') expect(reader.text()).not.toContain('missed');
    else await expect.poll(reader.text).toContain(missed);
  });

  it('is sent a great many in several batches', async () => {
    const { live, follow } = start({ maxBatchValues: 4 });
    const stream = await follow();
    live.announceReadings(upTo(10).map((each) => read(each, 1, `variable-${each}`)));
    const reader = reading(stream);
    await expect.poll(reader.values).toEqual(upTo(10));
    expect(reader.text().match(/event: readings/g)).toHaveLength(3);
  });

  it('is cut off in the end', async () => {
    const { live, follow, clock } = start();
    const stream = await follow();
    const witness = reading(await follow());
    stream.read(0);
    live.announceReadings([read(stuff)]);
    await expect.poll(() => stream.readableLength).toBeGreaterThan(20_000);
    clock.advance(LIVE_LIMITS.stalledMs - 10_000);
    await expect.poll(witness.text).toContain(': heartbeat');
    expect(stream.destroyed).toBe(false);
    clock.advance(LIVE_LIMITS.stalledMs);
    await expect.poll(() => stream.destroyed).toBe(true);
    expect(live.totals()).toMatchObject({ opened: 2, closed: 1 });
  });
});

describe('the number of streams', () => {
  const codeOf = (promise: Promise<unknown>) =>
    promise.then(
      () => 'OPENED',
      (error: Failure) => error.code,
    );

  it.each([
    ['maxStreams', 'OVERLOADED'],
    ['maxOfOrganization', 'TOO_MANY_REQUESTS'],
    ['maxOfCredential', 'TOO_MANY_REQUESTS'],
  ] as const)('is limited by %s, with %s', async (limit, code) => {
    const { follow } = start({ [limit]: 2 });
    const first = await follow();
    expect(await codeOf(follow())).toBe('OPENED');
    expect(await codeOf(follow())).toBe(code);
    const others = limit === 'maxOfCredential' ? 'OPENED' : code;
    expect(await codeOf(follow({}, { caller: callerWith([], 'other') }))).toBe(others);
    first.destroy();
    expect(await codeOf(follow())).toBe('OPENED');
  });

  it('is none after a stop', async () => {
    const { live, follow } = start();
    const stream = await follow();
    const reader = reading(stream);
    await live.stop();
    expect(reader.text()).toContain('{"reason":"STOPPING"}');
    expect(await codeOf(follow())).toBe('OVERLOADED');
  });
});

describe('credentials', () => {
  it('that cannot be looked at say nothing against the stream', async () => {
    const { live, follow, clock } = start();
    let asked = 0;
    const readmit = async () => {
      asked += 1;
      throw new Failure('STORAGE_AWAY', 'Away.');
    };
    const reader = reading(await follow({}, { readmit }));
    clock.advance(LIVE_LIMITS.recheckMs);
    await expect.poll(() => asked).toBe(1);
    live.announceReadings([read(1)]);
    await expect.poll(reader.values).toEqual([1]);
    expect(reader.text()).not.toContain('end');
  });
});
