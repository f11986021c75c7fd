import { expect, it } from 'vitest';
import { SOLE_OWNER } from '../../../test/support/sole-owner.ts';
import { createLog, systemClock } from '../../runtime/index.ts';
import type { CachedDevice, DeviceHandle, VariableRef } from '../../variables/index.ts';
import { ArrivalTimes } from '../arrival-times.ts';
import type { Submit } from '../message.ts';
import { createPipeline } from '../pipeline.ts';
import { createForwarding } from './index.ts';

const eventually = { timeout: 5_000, interval: 5 };
const DEVICE_ID = '018f0000-0000-7000-8000-00000000000a';
const variable: VariableRef = {
  ...{ seriesId: 1, id: 'variable', organizationId: 'organization', deviceId: DEVICE_ID },
  ...{ type: 'NUMBER', isLoggingEnabled: true, path: 'count' },
};
const cached: CachedDevice = {
  ...{ index: 0, deviceId: DEVICE_ID, organizationId: 'organization', parentDeviceId: null },
  ...{ takesReadings: true, passwordHash: 'none', variables: new Map([['count', variable]]) },
};
const device: DeviceHandle = {
  ...{ deviceId: DEVICE_ID, peek: () => cached, get: async () => cached },
};
const log = createLog('silent');
const nothing = () => undefined;
const judgement = { statements: null, stored: nothing, refused: Promise.reject };

type Handler = (body: Buffer) => Promise<Buffer>;

/** The pipeline of a node that acts for all Devices since a moment, on the storage of all nodes. */
function owner(stored: Map<number, unknown>, since: number): Handler {
  const pipeline = createPipeline({
    owns: () => true,
    forward: nothing,
    reload: () => false,
    judge: async () => judgement,
    judgeInParts: async () => [{ deviceIds: null, judgement, awaited: Promise.resolve() }],
    async commit(readings) {
      for (const { at, value } of readings) stored.set(at, value);
    },
    arrivals: new ArrivalTimes(since),
    rejections: { record: nothing } as never,
    onSeen: nothing,
    announce: nothing,
    clock: systemClock,
    log,
  });
  const { handler } = node('owner', pipeline.submit, async () => Buffer.alloc(0));
  return handler;
}

function node(
  ownerId: string,
  submit: Submit,
  call: (nodeId: string, method: string, body: Buffer) => Promise<Buffer>,
) {
  let handler: Handler = async () => Buffer.alloc(0);
  const { forwarding } = createForwarding({
    peers: {
      serve(_, served) {
        handler = (body) => Promise.resolve(served(body, 'caller'));
      },
      call,
    },
    ownership: { ...SOLE_OWNER, ownerAt: () => ownerId, ownerOf: () => ownerId },
    deviceCache: { handle: () => device },
    submit,
    clock: systemClock,
    log,
  });
  return { forwarding, handler: (body: Buffer) => handler(body) };
}

it('a reading without a timestamp is stored once when the node that stored it is lost before it answers', async () => {
  const stored = new Map<number, unknown>();
  const now = systemClock.now();
  const first = owner(stored, now - 60_000);
  const successor = owner(stored, now + 6_000);
  const calls: Promise<Buffer>[] = [];
  const { forwarding } = node(
    'other',
    () => undefined,
    async (_, __, body) => {
      const isFirst = calls.length === 0;
      calls.push((isFirst ? first : successor)(body));
      const answer = await calls.at(-1);
      if (isFirst || answer === undefined) throw new Error('the connection was lost');
      return answer;
    },
  );
  const receipts: unknown[] = [];
  void forwarding.submit(
    { device, suffix: '', payload: { count: 5 }, receivedAt: now },
    { stored: (receipt) => receipts.push(receipt), failed: (error) => receipts.push(error) },
  );
  await expect.poll(() => receipts, eventually).toEqual([{ accepted: 1, stored: 1, rejected: [] }]);
  expect(calls.length).toBe(2);
  expect([...stored.values()]).toEqual([5]);
  forwarding.stop();
});
