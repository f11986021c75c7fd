import { expect, it } from 'vitest';
import { createStillClock } from '../../../test/support/clock.ts';
import { type Ownership, PeerUnreachable } from '../../nodes/index.ts';
import { createDeferred, createLog, type Deferred } from '../../runtime/index.ts';
import type { ForwardedTime } from '../forwarded-times.ts';
import type { Completion, DeviceMessage } from '../message.ts';
import type { ForwardedMessage } from './codec.ts';
import { FORWARDING_LIMITS, Forwarding, type ForwardingLimits } from './forwarding.ts';
import { MOVED, type Outcome, UNKNOWN } from './outcome.ts';

const eventually = { timeout: 5_000, interval: 5 };
const STORED: Outcome = { kind: 'STORED', receipt: { accepted: 1, stored: 1, rejected: [] } };
const DEVICE_A = '018f0000-0000-7000-8000-00000000000a';
const DEVICE_B = '018f0000-0000-7000-8000-00000000000b';
const DEVICE_C = '018f0000-0000-7000-8000-00000000000c';

interface Call {
  readonly nodeId: string;
  readonly texts: readonly string[];
  readonly times: readonly ForwardedTime[];
  readonly answer: Deferred<readonly Outcome[]>;
}

/** Forwarding with owners that the test sets, and calls that it answers. */
function start(limits: Partial<ForwardingLimits> = {}) {
  const owners = new Map<number, string | null>();
  const listeners: (() => void)[] = [];
  const ownerAt = (partition: number) => owners.get(partition) ?? null;
  const ownership: Ownership = {
    nodeId: 'self',
    ownerAt,
    ownerOf: (deviceId) => ownerAt(Number.parseInt(deviceId.slice(-2), 16)),
    owns: (deviceId) => ownership.ownerOf(deviceId) === 'self',
    isSoleOwner: false,
    partitions: [],
    onChange: (listener) => void listeners.push(() => listener(NO_CHANGE)),
  };
  const calls: Call[] = [];
  const answered = (nodeId: string) => (messages: readonly ForwardedMessage[]) => {
    const answer = createDeferred<readonly Outcome[]>();
    const texts = messages.map(({ payload }) => Buffer.from(payload as Uint8Array).toString());
    calls.push({ nodeId, texts, times: messages.map(({ time }) => time), answer });
    return answer.promise;
  };
  const clock = createStillClock();
  const forwarding = new Forwarding({
    ownership,
    clock,
    log: createLog('silent'),
    send: (nodeId, messages) => answered(nodeId)(messages),
    receive: answered('self'),
    limits: { ...FORWARDING_LIMITS, ...limits },
  });
  return {
    calls,
    clock,
    forwarding,
    own(deviceId: string, nodeId: string | null) {
      owners.set(Number.parseInt(deviceId.slice(-2), 16), nodeId);
      for (const listener of listeners) listener();
    },
    async call(index: number): Promise<Call> {
      await expect.poll(() => calls.length, eventually).toBeGreaterThan(index);
      return calls[index] as Call;
    },
  };
}

const NO_CHANGE = { gained: new Set<number>(), taken: new Set<number>(), lost: new Set<number>() };

function messageOf(deviceId: string, text: string): DeviceMessage {
  const device = { deviceId } as DeviceMessage['device'];
  return { device, suffix: '', payload: Buffer.from(text), receivedAt: 1 };
}

function outcomes() {
  const log: unknown[] = [];
  const completion: Completion = {
    stored: () => void log.push('stored'),
    failed: (error) => void log.push((error as { code: string }).code),
  };
  return { log, completion };
}

it('messages that arrive while a batch is under way are sent together after it, in order', async () => {
  const { forwarding, own, call, calls } = start();
  const { log, completion } = outcomes();
  own(DEVICE_A, 'x');
  own(DEVICE_B, 'x');
  void forwarding.submit(messageOf(DEVICE_A, '1'), completion);
  const first = await call(0);
  for (const text of ['2', '3']) void forwarding.submit(messageOf(DEVICE_A, text), completion);
  void forwarding.submit(messageOf(DEVICE_B, '4'), completion);
  await new Promise(setImmediate);
  expect(calls.length).toBe(1);
  first.answer.resolve([STORED]);
  const second = await call(1);
  expect(second.texts).toEqual(['2', '3', '4']);
  second.answer.resolve([STORED, STORED, STORED]);
  await expect.poll(() => log, eventually).toEqual(Array(4).fill('stored'));
});

it('messages of other partitions are sent beside a batch in flight after a short wait, and no third batch', async () => {
  const { forwarding, own, call, calls, clock } = start();
  const { log, completion } = outcomes();
  for (const device of [DEVICE_A, DEVICE_B, DEVICE_C]) own(device, 'x');
  void forwarding.submit(messageOf(DEVICE_A, '1'), completion);
  const first = await call(0);
  for (const text of ['2', '3']) void forwarding.submit(messageOf(DEVICE_B, text), completion);
  void forwarding.submit(messageOf(DEVICE_A, '4'), completion);
  clock.advance(FORWARDING_LIMITS.lingerMs);
  const second = await call(1);
  expect(second.texts).toEqual(['2', '3']);
  void forwarding.submit(messageOf(DEVICE_C, '5'), completion);
  clock.advance(FORWARDING_LIMITS.lingerMs);
  await new Promise((resolve) => setTimeout(resolve, 5 * FORWARDING_LIMITS.lingerMs));
  expect(calls.length).toBe(2);
  second.answer.resolve([STORED, STORED]);
  const third = await call(2);
  expect(third.texts).toEqual(['5']);
  first.answer.resolve([STORED]);
  (await call(3)).answer.resolve([STORED]);
  third.answer.resolve([STORED]);
  await expect.poll(() => log, eventually).toEqual(Array(5).fill('stored'));
});

it('a partition that always has more messages than a batch takes turns with the others', async () => {
  const { forwarding, own, call } = start({ maxBatchMessages: 2 });
  const { completion } = outcomes();
  own(DEVICE_A, 'x');
  own(DEVICE_B, 'x');
  const many = ['1', '2', '3', '4', '5', '6'];
  for (const text of many) void forwarding.submit(messageOf(DEVICE_A, text), completion);
  void forwarding.submit(messageOf(DEVICE_B, 'other'), completion);
  (await call(0)).answer.resolve([STORED, STORED]);
  expect((await call(1)).texts).toEqual(['other', '3']);
});

it('a message that its node no longer takes goes to the new one, before later messages', async () => {
  const { forwarding, own, call } = start();
  const { log, completion } = outcomes();
  own(DEVICE_A, 'x');
  void forwarding.submit(messageOf(DEVICE_A, '1'), completion);
  const first = await call(0);
  own(DEVICE_A, 'y');
  void forwarding.submit(messageOf(DEVICE_A, '2'), completion);
  await new Promise(setImmediate);
  first.answer.resolve([MOVED]);
  const second = await call(1);
  expect([second.nodeId, second.texts]).toEqual(['y', ['1', '2']]);
  second.answer.resolve([STORED, STORED]);
  await expect.poll(() => log, eventually).toEqual(['stored', 'stored']);
});

it.each([
  { problem: 'whose outcome is unknown', error: new Error('connection lost'), isFixed: true },
  { problem: 'that reached no node', error: new PeerUnreachable(), isFixed: false },
])('a message $problem is sent again with its time', async ({ error, isFixed }) => {
  const { forwarding, own, call } = start();
  const { log, completion } = outcomes();
  own(DEVICE_A, 'x');
  void forwarding.submit(messageOf(DEVICE_A, '1'), completion);
  const first = await call(0);
  expect(first.times).toEqual([{ at: 1, isFixed: false }]);
  first.answer.reject(error);
  const again = await call(1);
  expect([again.texts, again.times]).toEqual([['1'], [{ at: 1, isFixed }]]);
  again.answer.resolve([STORED]);
  await expect.poll(() => log, eventually).toEqual(['stored']);
});

it('messages of a Device that arrive within a millisecond have ascending times, in any batch', async () => {
  const { forwarding, own, call } = start();
  const { completion } = outcomes();
  own(DEVICE_A, 'x');
  own(DEVICE_B, 'x');
  for (const text of ['1', '2']) void forwarding.submit(messageOf(DEVICE_A, text), completion);
  const first = await call(0);
  void forwarding.submit(messageOf(DEVICE_A, '3'), completion);
  void forwarding.submit(messageOf(DEVICE_B, '4'), completion);
  first.answer.resolve([STORED, STORED]);
  const second = await call(1);
  expect([...first.times, ...second.times].map(({ at }) => at)).toEqual([1, 2, 3, 1]);
});

it('a message whose time may be in use is sent again with the reserved one, before later messages', async () => {
  const { forwarding, own, call } = start();
  const { completion } = outcomes();
  own(DEVICE_A, 'x');
  for (const text of ['1', '2', '3']) void forwarding.submit(messageOf(DEVICE_A, text), completion);
  (await call(0)).answer.resolve([STORED, { kind: 'RETIMED', at: 50 }, MOVED]);
  const second = await call(1);
  expect(second.texts).toEqual(['2', '3']);
  expect(second.times).toEqual([
    { at: 50, isFixed: true },
    { at: 51, isFixed: false },
  ]);
  second.answer.resolve([UNKNOWN, UNKNOWN]);
  expect((await call(2)).times).toEqual([
    { at: 50, isFixed: true },
    { at: 51, isFixed: true },
  ]);
});

it('messages of a partition that comes to this node are stored here before later ones', async () => {
  const { forwarding, own, call } = start();
  const { completion, log } = outcomes();
  own(DEVICE_A, null);
  void forwarding.submit(messageOf(DEVICE_A, '1'), completion);
  expect([forwarding.holds(DEVICE_A), forwarding.holds(DEVICE_B)]).toEqual([true, false]);
  own(DEVICE_A, 'self');
  const here = await call(0);
  expect([here.nodeId, here.texts]).toEqual(['self', ['1']]);
  expect(forwarding.holds(DEVICE_A)).toBe(true);
  here.answer.resolve([STORED]);
  await expect.poll(() => log, eventually).toEqual(['stored']);
  expect(forwarding.holds(DEVICE_A)).toBe(false);
});

it('a message that no node takes within the time limit fails as unavailable', async () => {
  const { forwarding, own, clock } = start();
  const { completion, log } = outcomes();
  own(DEVICE_A, null);
  void forwarding.submit(messageOf(DEVICE_A, '1'), completion);
  // The monotonic clock has fractions, so that the limit itself may be rounded to either side.
  clock.advance(FORWARDING_LIMITS.timeoutMs - 1);
  await new Promise((resolve) => setTimeout(resolve, 120));
  expect(log).toEqual([]);
  clock.advance(2);
  await expect.poll(() => log, eventually).toEqual(['STORAGE_UNAVAILABLE']);
});

it('a message that exceeds the memory waits, and so does its sender', async () => {
  const { forwarding, own, call } = start({ maxHeldWeight: 300 });
  const { completion, log } = outcomes();
  own(DEVICE_A, 'x');
  expect(forwarding.submit(messageOf(DEVICE_A, '1'), completion)).toBeUndefined();
  expect(forwarding.submit(messageOf(DEVICE_A, '2'), completion)).toBeUndefined();
  const memory = Buffer.from('3');
  const message = { ...messageOf(DEVICE_A, ''), payload: memory };
  const waits = forwarding.submit(message, completion);
  expect(waits).toBeInstanceOf(Promise);
  // The connection receives its next message into the same memory.
  memory.write('4');
  (await call(0)).answer.resolve([STORED, STORED]);
  await waits;
  const next = await call(1);
  expect(next.texts).toEqual(['3']);
  next.answer.resolve([STORED]);
  await expect.poll(() => log.length, eventually).toBe(3);
});

it.each([
  { maxBatchMessages: 2, maxBatchBytes: 1_000_000 },
  { maxBatchMessages: 100, maxBatchBytes: 2 * 257 },
])('a batch has at most $maxBatchMessages messages and $maxBatchBytes bytes', async (limits) => {
  const { forwarding, own, call } = start(limits);
  const { completion } = outcomes();
  own(DEVICE_A, 'x');
  for (const text of ['1', '2', '3']) void forwarding.submit(messageOf(DEVICE_A, text), completion);
  const first = await call(0);
  expect(first.texts).toEqual(['1', '2']);
  first.answer.resolve([STORED, STORED]);
  expect((await call(1)).texts).toEqual(['3']);
});
