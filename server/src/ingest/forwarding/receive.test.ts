import { afterAll, beforeAll, expect, it } from 'vitest';
import { startStorage } from '../../../test/support/device-storage.ts';
import { EpochEnded } from '../../nodes/index.ts';
import { createDeviceIndex } from '../../presence/index.ts';
import { Failure } from '../../runtime/index.ts';
import { createDeviceCache } from '../../variables/index.ts';
import { LaterTime } from '../later-time.ts';
import type { Submit } from '../message.ts';
import { NotOwner } from '../not-owner.ts';
import { createReceive } from './receive.ts';

let rig: Awaited<ReturnType<typeof startStorage>>;

beforeAll(async () => {
  rig = await startStorage();
});

afterAll(() => rig.stop());

const message = (deviceId: string) => ({
  deviceId,
  suffix: '',
  payload: Buffer.from('1'),
  receivedAt: 1,
  showsPresence: true,
  time: { at: 1, isFixed: false },
});

function start(submit: Submit) {
  const { storage, queries } = rig.counted();
  const deviceCache = createDeviceCache({ storage, deviceIndex: createDeviceIndex() });
  return { receive: createReceive({ submit, deviceCache }), queries };
}

it('Devices of messages that come together are loaded in one query', async () => {
  const devices = await Promise.all([1, 2, 3].map(() => rig.newDevice({ paths: [] })));
  const found: unknown[] = [];
  const { receive, queries } = start((submitted, completion) => {
    found.push(submitted.device.peek()?.deviceId);
    completion.stored({ accepted: 0, stored: 0, rejected: [] });
    return undefined;
  });
  const ids = [...devices, ...devices].map(({ id }) => id);
  await receive(ids.map(message));
  expect(found).toEqual(ids);
  expect(queries()).toBe(1);
});

it('messages are submitted in order, each after the wait of the one before', async () => {
  const { id } = await rig.newDevice({ paths: [] });
  const steps: string[] = [];
  const { receive } = start(async (_, completion) => {
    steps.push('submitted');
    await new Promise(setImmediate);
    steps.push('accepted');
    completion.stored({ accepted: 1, stored: 1, rejected: [] });
  });
  await receive([message(id), message(id)]);
  expect(steps).toEqual(['submitted', 'accepted', 'submitted', 'accepted']);
});

it('messages that follow one with another time wait for it, those of other Devices do not', async () => {
  const devices = await Promise.all([1, 2].map(() => rig.newDevice({ paths: [] })));
  const [first, second] = devices.map(({ id }) => id) as [string, string];
  const { receive } = start(({ device }, completion) => {
    if (device.deviceId === first) completion.failed(new LaterTime(7));
    else completion.stored({ accepted: 0, stored: 0, rejected: [] });
    return undefined;
  });
  const outcomes = await receive([message(first), message(second), message(first)]);
  expect(outcomes.map(({ kind }) => kind)).toEqual(['RETIMED', 'STORED', 'MOVED']);
});

it.each([
  { error: new NotOwner(), kind: 'MOVED' },
  { error: new EpochEnded(), kind: 'UNKNOWN' },
  { error: new LaterTime(7), kind: 'RETIMED' },
  { error: new Failure('STORAGE_UNAVAILABLE', 'Storage is unavailable.'), kind: 'FAILED' },
  { error: new Error('a fault'), kind: 'FAILED' },
])('a message that failed with $error.message is $kind', async ({ error, kind }) => {
  const { id } = await rig.newDevice({ paths: [] });
  const { receive } = start((_, completion) => void completion.failed(error));
  expect(await receive([message(id)])).toMatchObject([{ kind }]);
});
