import { operations } from '@fieldwatch/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { send } from '../support/call.ts';
import { type IngestCalls, ingestCalls } from '../support/ingest-calls.ts';
import { type Stored, storedReadings } from '../support/reporter.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { cases } from '../support/soak.ts';

/** In soak 1 000. */
const READINGS = cases(1_000, 0.25);

let server: TestServer;
let calls: IngestCalls;

beforeAll(async () => {
  server = await startServer();
  calls = ingestCalls(server);
});

afterAll(() => server.stop());

const NOTHING = {
  accepted: 0,
  rejected: { unknownPath: 0, wrongType: 0, badTime: 0, inactive: 0, codec: 0 },
  lastRejected: [],
};

describe('the rejections of a Device', () => {
  it('are zero for a Device that never sent a reading', async () => {
    const { id } = await calls.newDevice();
    expect(await calls.ingestOf(id)).toEqual(NOTHING);
    expect(await calls.unmatchedOf(id)).toEqual({ count: 0, items: [] });
  });

  it.each([
    '{"__proto__":5}',
    '{"data":{"__proto__":5}}',
    '{"dataArray":[{"key":"__proto__","value":5}]}',
    '{"constructor":{"prototype":{"oil":6}},"__proto__":5}',
  ])('are none where the path of a Variable is that of a prototype: %s', async (json) => {
    const { id } = await calls.newDevice();
    await calls.newVariable(id, '__proto__');
    await calls.newVariable(id, 'constructor.prototype.oil');
    const { status, body } = await calls.write(id, JSON.parse(json));
    expect([status, body.rejected]).toEqual([200, []]);
    expect(body.stored).toBe(json.includes('oil') ? 2 : 1);
    expect(({} as { oil?: number }).oil).toBeUndefined();
  });

  it('list a path that a built-in Variable has: a person can make another one of it', async () => {
    const { id } = await calls.newDevice();
    await calls.write(id, { isOnline: 1 });
    await expect
      .poll(async () => (await calls.unmatchedOf(id)).items)
      .toMatchObject([{ path: 'isOnline', lastValue: 1 }]);
    await calls.newVariable(id, 'isOnline');
    expect((await calls.write(id, { isOnline: 2 })).body.stored).toBe(1);
    expect((await calls.unmatchedOf(id)).items).toEqual([]);
  });

  it('are listed in the response, counted, and stored newest first', async () => {
    const { id } = await calls.newDevice();
    await calls.newVariable(id, 'engine.rpm');
    const now = server.clock.now();
    const { body } = await calls.write(id, {
      dataArray: [
        { key: 'engine.rpm', value: 1 },
        { key: 'engine.rpm', value: 'fast' },
        { key: 'engine.rpm', value: 2, timestamp: now + 11 * 60_000 },
        { key: 'engine.oil', value: 3 },
        { key: 'engine.rpm', value: null },
      ],
    });
    expect(body).toEqual({
      accepted: 1,
      stored: 1,
      rejected: [
        { key: 'engine.rpm', reason: 'badTime' },
        { key: 'engine.rpm', reason: 'wrongType' },
        { key: 'engine.rpm', reason: 'wrongType' },
        { key: 'engine.oil', reason: 'unknownPath' },
      ],
    });
    const ingest = await calls.ingestOf(id);
    expect(ingest).toMatchObject({
      accepted: 1,
      rejected: { unknownPath: 1, wrongType: 2, badTime: 1, inactive: 0, codec: 0 },
    });
    expect(
      ingest.lastRejected.map(({ key, reason }: Record<string, string>) => [key, reason]),
    ).toEqual(
      body.rejected.map(({ key, reason }: Record<string, string>) => [key, reason]).reverse(),
    );
    expect(Date.parse(ingest.lastRejected[0].dateTime)).toBeGreaterThanOrEqual(now);
  });

  it('count every reading of an inactive Device', async () => {
    const { id } = await calls.newDevice({});
    await calls.editDevice(id, { isActive: false });
    expect((await calls.write(id, { a: 1, b: null })).status).toBe(409);
    expect((await calls.ingestOf(id)).rejected.inactive).toBe(2);
  });

  it('contain the last 20 keys', async () => {
    const { id } = await calls.newDevice();
    for (let n = 0; n < 3; n += 1) {
      await calls.write(
        id,
        Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`p${n}${i}`, 1])),
      );
      await calls.ingestOf(id);
    }
    const { lastRejected, rejected } = await calls.ingestOf(id);
    expect(rejected.unknownPath).toBe(27);
    expect(lastRejected).toHaveLength(20);
    expect(lastRejected[0].key).toBe('p28');
    expect(lastRejected[19].key).toBe('p07');
  });

  it('are in the metrics', async () => {
    const { id } = await calls.newDevice();
    await calls.newVariable(id, 'engine.rpm');
    await calls.write(id, { 'engine.rpm': 1, other: 2 });
    const { text } = await send(server.url, 'GET', '/metrics');
    for (const outcome of ['accepted', 'unknownPath']) {
      expect(text).toMatch(new RegExp(`fieldwatch_readings_total{outcome="${outcome}"} [1-9]`));
    }
  });
});

describe('unmatched paths', () => {
  it('show the newest value, and disappear once a Variable has the path', async () => {
    const { id } = await calls.newDevice();
    const now = server.clock.now();
    await calls.write(id, { timestamp: now, data: { 'engine.rpm': 'new', quiet: true } });
    await calls.unmatchedOf(id);
    await calls.write(id, { timestamp: now - 1000, data: { 'engine.rpm': 'old' } });
    const at = new Date(now).toISOString();
    const rpm = { path: 'engine.rpm', lastValue: 'new', lastDateTime: at, occurrences: 2 };
    const quiet = { path: 'quiet', lastValue: true, lastDateTime: at, occurrences: 1 };
    expect(await calls.unmatchedOf(id)).toEqual({ count: 2, items: [rpm, quiet] });
    expect(await calls.unmatchedOf(id, 'skip=1&take=1')).toEqual({ count: 2, items: [quiet] });
    expect(await calls.unmatchedOf(id, 'skip=5')).toEqual({ count: 2, items: [] });
    await calls.newVariable(id, 'engine.rpm');
    expect(await calls.unmatchedOf(id)).toEqual({ count: 1, items: [quiet] });
  });

  it('are the 500 that were seen last', async () => {
    const { id } = await calls.newDevice();
    const now = server.clock.now();
    for (const part of [0, 1, 2]) {
      const data = Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`${part}.${n}`, n]));
      await calls.write(id, { timestamp: now - 10_000 + part, data });
      if (part === 0) await calls.unmatchedOf(id);
    }
    const { count, items } = await calls.unmatchedOf(id);
    expect([count, items.length]).toEqual([500, 500]);
    const ofPart = (part: string) =>
      items.filter(({ path }: { path: string }) => path.startsWith(part)).length;
    expect([ofPart('0.'), ofPart('1.'), ofPart('2.')]).toEqual([0, 200, 300]);
  });

  it('are deleted with their Device', async () => {
    const { id } = await calls.newDevice();
    await calls.write(id, { a: 1 });
    await server.call(operations.deleteDevice, { params: { deviceId: id } });
    const answer = await server.call(operations.listUnmatchedPaths, { params: { deviceId: id } });
    expect(answer.status).toBe(404);
    const other = await calls.newDevice();
    await calls.write(other.id, { b: 1 });
    expect((await calls.unmatchedOf(other.id)).count).toBe(1);
  });
});

describe('readings without a timestamp', () => {
  const storedOf = (variableId: string): Promise<Stored[]> =>
    storedReadings(
      server.url,
      { auth: server.key, organizationId: server.organizationId },
      variableId,
      server.clock.now() + 3_600_000,
    );

  it('are all stored at ascending times when hundreds are sent with 20 in flight', async () => {
    const { id } = await calls.newDevice();
    const variableId = await calls.newVariable(id, 'engine.rpm');
    let next = 0;
    const send = async () => {
      while (next < READINGS) {
        next += 1;
        expect((await calls.write(id, { 'engine.rpm': next })).body.stored).toBe(1);
      }
    };
    await Promise.all(Array.from({ length: 20 }, send));
    const stored = await storedOf(variableId);
    expect(new Set(stored.map(({ value }) => value)).size).toBe(READINGS);
    expect(new Set(stored.map(({ timestamp }) => timestamp)).size).toBe(READINGS);
  }, 60_000);

  it('are stored in order when one message has several of one Variable', async () => {
    const { id } = await calls.newDevice();
    const variableId = await calls.newVariable(id, 'engine.rpm');
    const entries = [1, 2, 3].map((value) => ({ key: 'engine.rpm', value }));
    const before = server.clock.now();
    expect((await calls.write(id, { dataArray: entries })).body.stored).toBe(3);
    // A change of the Device drops it from memory.
    expect((await calls.editDevice(id, { description: 'changed' })).status).toBe(200);
    expect((await calls.write(id, { data: entries })).body.stored).toBe(3);
    const stored = await storedOf(variableId);
    expect(stored.map(({ value }) => value)).toEqual([1, 2, 3, 1, 2, 3]);
    const [first, second, third] = stored.map(({ timestamp }) => timestamp);
    expect(first).toBeGreaterThanOrEqual(before);
    expect([second, third]).toEqual([Number(first) + 1, Number(first) + 2]);
  });
});
