import { expect, it } from 'vitest';
import { createOnline, createPlaces, createPresence } from '../../src/presence/index.ts';
import { createLog } from '../../src/runtime/index.ts';
import { createTestClock } from '../support/clock.ts';
import { openHistory, storeVariable } from '../support/readings.ts';

const ONLINE_MS = 60_000;

async function start() {
  const storage = await openHistory();
  const { deviceId, organizationId } = await storeVariable(storage, 'NUMBER');
  await storage.query(
    `insert into variables (organization_id, id, device_id, topic_property_path,
       topic_property_path_folded, type, name, name_folded, is_logging_enabled, is_built_in,
       created_at, updated_at)
     select $1, gen_random_uuid(), $2, 'isOnline', 'isonline', 'BOOLEAN', 'Online', 'online', true,
       true, now(), now()
     where not exists (select 1 from variables where device_id = $2 and is_built_in)`,
    [organizationId, deviceId],
  );
  const clock = createTestClock();
  const said: unknown[] = [];
  /** What a server knows of the Device, from its start on. */
  const serve = async (meanwhile: () => void = () => {}) => {
    const places = createPlaces();
    const device = { place: places.of(deviceId), deviceId, organizationId };
    const parts = { places, storage, clock, log: createLog('silent') };
    const presence = createPresence({
      ...parts,
      onlineMs: ONLINE_MS,
      onMoved: ({ place }) => online.moved(place),
      onSession: ({ place }) => online.met(place),
    });
    const online = createOnline({
      ...parts,
      presence,
      onlineMs: ONLINE_MS,
      async commit(readings, { alongside }) {
        meanwhile();
        if (alongside) await storage.atomically(alongside);
        said.push(...readings.map(({ value }) => value));
      },
      announce: () => {},
    });
    await online.start();
    return { presence, online, device };
  };
  return { clock, said, serve };
}

const eventually = { timeout: 10_000 };
/** Long enough for a look at who came and went. */
const aLook = () => new Promise((resolve) => setTimeout(resolve, 1_200));

it('a Device that is heard of in the moment in which it is said to be gone is said to be back', async () => {
  const { clock, said, serve } = await start();
  let meanwhile = () => {};
  const { presence, online, device } = await serve(() => {
    const now = meanwhile;
    meanwhile = () => {};
    now();
  });
  const hear = () => presence.seen(device, clock.now());
  hear();
  await expect.poll(() => said, eventually).toEqual([true]);
  meanwhile = hear;
  clock.advance(ONLINE_MS);
  await expect.poll(() => said, eventually).toEqual([true, false, true]);
  await online.stop();
});

it('a session says at once that it is there, and that it is gone', async () => {
  const { said, serve } = await start();
  const { presence, online, device } = await serve();
  presence.sessionOpened(device);
  await expect.poll(() => said, eventually).toEqual([true]);
  presence.sessionClosed(device);
  await expect.poll(() => said, eventually).toEqual([true, false]);
  await online.stop();
});

it('a server that starts again gives sessions time to come back before it says they went', async () => {
  const { clock, said, serve } = await start();
  const first = await serve();
  first.presence.sessionOpened(first.device);
  await expect.poll(() => said, eventually).toEqual([true]);
  await first.online.stop();
  clock.advance(10 * ONLINE_MS);
  const second = await serve();
  clock.advance(25_000);
  await aLook();
  second.presence.sessionOpened(second.device);
  clock.advance(10_000);
  await aLook();
  expect(said).toEqual([true]);
  await second.online.stop();
  const third = await serve();
  clock.advance(30_000);
  await expect.poll(() => said, eventually).toEqual([true, false]);
  await third.online.stop();
});
