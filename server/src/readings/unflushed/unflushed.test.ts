import { expect, it } from 'vitest';
import { createStillClock } from '../../../test/support/clock.ts';
import { type PeerHandler, PeerUnreachable } from '../../nodes/index.ts';
import { createDeferred, Failure } from '../../runtime/index.ts';
import { journalBatch } from '../journal/index.ts';
import { BlockPool, Memtable } from '../memtable/index.ts';
import type { Reading } from '../reading.ts';
import { type Unflushed, UnflushedReadings } from './index.ts';

const DEVICE = '018f0000-0000-7000-8000-00000000000a';
const OTHER_DEVICE = '018f0000-0000-7000-8000-00000000000b';
const ALL = { from: 0, to: Number.MAX_SAFE_INTEGER };

function variableOf(seriesId: number, deviceId = DEVICE): Reading['variable'] {
  const names = { id: '', organizationId: '', path: '' };
  return { ...names, seriesId, deviceId, type: 'NUMBER', isLoggingEnabled: true };
}

const FLOW = variableOf(1);
const LEVEL = variableOf(2, OTHER_DEVICE);

function timesOf(all: readonly Unflushed[]): number[][] {
  return all.map(({ columns }) => [...(columns?.times ?? [])]);
}

/** Nodes that call each other; each believes in the owners that the test gives it. */
function cluster(limits = { maxOwnerWaitMs: 10_000, maxAnswerBytes: 1_000_000 }) {
  const handlers = new Map<string, PeerHandler>();
  const calls: string[] = [];
  const clock = createStillClock();

  function node(nodeId: string, owners: Map<string, string | null>) {
    const memtable = new Memtable(0, new BlockPool());
    let confirmed: () => Promise<void> = () => Promise.resolve();
    const ownerOf = (deviceId: string) => owners.get(deviceId) ?? null;
    const reader = new UnflushedReadings({
      ownership: {
        ...{ nodeId, ownerOf, ownerAt: () => null, isSoleOwner: false, partitions: [] },
        owns: (deviceId) => ownerOf(deviceId) === nodeId,
        onChange: () => undefined,
      },
      fence: { confirm: () => confirmed() },
      memtables: () => [memtable],
      peers: {
        serve: (_, handler) => void handlers.set(nodeId, handler),
        async call(target, _, body) {
          calls.push(target);
          const handler = handlers.get(target);
          if (!handler) throw new PeerUnreachable();
          return await handler(body, nodeId);
        },
      },
      clock,
      limits,
    });
    return {
      reader,
      owners,
      store(variable: Reading['variable'], ...times: readonly number[]) {
        memtable.add(journalBatch(times.map((at) => ({ variable, at, value: at }))).columns);
      },
      confirmBy(confirm: () => Promise<void>) {
        confirmed = confirm;
      },
    };
  }
  return { node, calls, clock, handlers };
}

it('readings are those of the nodes that act for their Devices, with one call to each', async () => {
  const { node, calls } = cluster();
  const owners = new Map([
    [DEVICE, 'a'],
    [OTHER_DEVICE, 'b'],
  ]);
  const [a, b] = [node('a', owners), node('b', owners)];
  a.store(FLOW, 1, 2, 3);
  b.store(LEVEL, 5);
  const found = await a.reader.history([FLOW, LEVEL, FLOW], { from: 2, to: 9 });
  expect(timesOf(found)).toEqual([[2, 3], [5], [2, 3]]);
  expect(found.some(({ isIncomplete }) => isIncomplete)).toBe(false);
  const latest = await b.reader.latest([FLOW, LEVEL, variableOf(3)]);
  expect(timesOf(latest)).toEqual([[3], [5], []]);
  expect(calls).toEqual(['b', 'a']);
});

it('other work is done while very many readings are put in order', async () => {
  const { node } = cluster();
  const a = node('a', new Map([[DEVICE, 'a']]));
  const count = 300_000;
  const times = Array.from({ length: count }, (_, index) => (index * 7_919) % count);
  for (let first = 0; first < count; first += 10_000) {
    a.store(FLOW, ...times.slice(first, first + 10_000));
  }
  let turns = 0;
  const turning = setInterval(() => {
    turns += 1;
  }, 0);
  const [found] = await a.reader.history([FLOW], ALL);
  clearInterval(turning);
  expect(found?.columns?.times.every((time, index) => time === index)).toBe(true);
  expect(turns).toBeGreaterThan(4);
});

it('readings that exceed an answer come in several, and none is missing or doubled', async () => {
  const { node, calls } = cluster({ maxOwnerWaitMs: 10_000, maxAnswerBytes: 100 });
  const owners = new Map([
    [DEVICE, 'a'],
    [OTHER_DEVICE, 'a'],
  ]);
  const [a, b] = [node('a', owners), node('b', owners)];
  const times = Array.from({ length: 11 }, (_, index) => index);
  a.store(FLOW, ...times);
  a.store(LEVEL, ...times);
  expect(timesOf(await b.reader.history([FLOW, LEVEL], ALL))).toEqual([times, times]);
  expect(calls.length).toBeGreaterThan(4);
});

it('a node that no longer acts for a Device says so, and its successor is asked', async () => {
  const { node, calls } = cluster();
  const [a, b] = [node('a', new Map([[DEVICE, 'c']])), node('b', new Map([[DEVICE, 'a']]))];
  const c = node('c', new Map([[DEVICE, 'c']]));
  a.store(FLOW, 1);
  c.store(FLOW, 2);
  const found = b.reader.history([FLOW], ALL);
  await expect.poll(() => calls.length).toBeGreaterThan(1);
  b.owners.set(DEVICE, 'c');
  expect(timesOf(await found)).toEqual([[2]]);
});

it('a question that a halted node does not answer goes to the node that takes over', async () => {
  const { node, handlers } = cluster();
  const b = node('b', new Map([[DEVICE, 'a']]));
  handlers.set('a', () => createDeferred<Buffer>().promise);
  const c = node('c', new Map([[DEVICE, 'c']]));
  c.store(FLOW, 2);
  const found = b.reader.history([FLOW], ALL);
  b.owners.set(DEVICE, 'c');
  expect(timesOf(await found)).toEqual([[2]]);
});

it('without a node that acts for a Device the readings are incomplete after 10 seconds', async () => {
  const { node, clock } = cluster();
  const owners = new Map([
    [DEVICE, null],
    [OTHER_DEVICE, 'b'],
  ]);
  const b = node('b', owners);
  b.store(LEVEL, 5);
  let isOver = false;
  const found = b.reader.history([FLOW, LEVEL], ALL).finally(() => {
    isOver = true;
  });
  clock.advance(9_999);
  await new Promise((resolve) => setTimeout(resolve, 120));
  expect(isOver).toBe(false);
  clock.advance(1);
  expect((await found).map(({ isIncomplete }) => isIncomplete)).toEqual([true, false]);
  expect(timesOf(await found)).toEqual([[], [5]]);
});

it('a node that cannot confirm its lease answers nothing, neither itself nor others', async () => {
  const { node, clock } = cluster();
  const owners = new Map([[DEVICE, 'a']]);
  const [a, b] = [node('a', owners), node('b', owners)];
  a.store(FLOW, 1);
  a.confirmBy(() => Promise.reject(new Failure('STORAGE_UNAVAILABLE', 'taken over')));
  await expect(a.reader.history([FLOW], ALL)).rejects.toMatchObject({
    code: 'STORAGE_UNAVAILABLE',
  });
  const found = b.reader.history([FLOW], ALL);
  await new Promise((resolve) => setTimeout(resolve, 10));
  clock.advance(10_000);
  expect(await found).toEqual([{ columns: undefined, isIncomplete: true }]);
});

it('a failure of the other node that is no outage is reported', async () => {
  const { node, handlers } = cluster();
  const b = node('b', new Map([[DEVICE, 'a']]));
  handlers.set('a', () => Promise.reject(new Failure('INTERNAL', 'Another node failed.')));
  await expect(b.reader.history([FLOW], ALL)).rejects.toMatchObject({ code: 'INTERNAL' });
});
