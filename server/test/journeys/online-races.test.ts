import { expect, it } from 'vitest';
import { createPlaces, createPresence } from '../../src/devices/index.ts';
import { createOnline } from '../../src/ingest/index.ts';
import { createLog } from '../../src/runtime/index.ts';
import { createTestClock } from '../support/clock.ts';
import { openHistory, storeVariable } from '../support/readings.ts';

const ONLINE_MS = 60_000;

it('a Device that is heard of in the moment in which it is said to be gone is said to be back', async () => {
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
  const places = createPlaces();
  const device = { place: places.of(deviceId), deviceId, organizationId };
  const parts = { places, storage, clock: createTestClock(), log: createLog('silent') };
  const said: unknown[] = [];
  let meanwhile = () => {};
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
      meanwhile = () => {};
      if (alongside) await storage.atomically(alongside);
      said.push(...readings.map(({ value }) => value));
    },
    announce: () => {},
  });
  await online.start();
  const hear = () => presence.seen(device, parts.clock.now());
  hear();
  await expect.poll(() => said, { timeout: 10_000 }).toEqual([true]);
  meanwhile = hear;
  parts.clock.advance(ONLINE_MS);
  await expect.poll(() => said, { timeout: 10_000 }).toEqual([true, false, true]);
  await online.stop();
});
