import { operations } from '@fieldwatch/contract';
import { expect, it } from 'vitest';
import { basic, call } from '../support/call.ts';
import { ingestCalls, type Made } from '../support/ingest-calls.ts';
import { startSecondServer, startServer } from '../support/server.ts';
import { openTestStorage } from '../support/storage.ts';

/** Two servers on one database: changes are made at one, readings come in at the other. */
async function start() {
  const server = await startServer();
  const second = await startSecondServer(server);
  const stop = async () => {
    await second.stop();
    await server.stop();
  };
  const calls = ingestCalls(server);
  const writeElsewhere = ({ id, auth }: Made, body: unknown) =>
    call(second.url, operations.writeReadings, {
      auth,
      params: { organizationId: server.organizationId, deviceId: id },
      body,
    });
  return { server, calls, writeElsewhere, stop };
}

const WAIT = { interval: 20 };

it('a change at one server takes effect at the other once it is notified', async () => {
  const { server, calls, writeElsewhere, stop } = await start();
  try {
    const device = await calls.newDevice();
    expect((await writeElsewhere(device, { engine: { rpm: 1 } })).body).toMatchObject({
      accepted: 0,
    });
    await calls.newVariable(device.id, 'engine.rpm', { type: 'NUMBER' });
    await expect
      .poll(async () => (await writeElsewhere(device, { engine: { rpm: 2 } })).body.accepted, WAIT)
      .toBe(1);

    const { body } = await server.call(operations.rotateDeviceCredentials, {
      params: { deviceId: device.id },
    });
    await expect
      .poll(async () => (await writeElsewhere(device, { engine: { rpm: 3 } })).status, WAIT)
      .toBe(401);
    const renewed = { ...device, auth: basic(body.username, body.password) };
    expect((await writeElsewhere(renewed, { engine: { rpm: 4 } })).status).toBe(200);

    await server.call(operations.deleteDevice, { params: { deviceId: device.id } });
    await expect
      .poll(async () => (await writeElsewhere(renewed, { engine: { rpm: 5 } })).status, WAIT)
      .toBe(401);
  } finally {
    await stop();
  }
});

it('changes made while a server did not listen take effect once it listens again', async () => {
  const { server, calls, writeElsewhere, stop } = await start();
  try {
    const storage = await openTestStorage({ databaseUrl: server.databaseUrl });
    const device = await calls.newDevice();
    const listeners = `from pg_stat_activity
      where datname = current_database() and query like 'listen %'`;
    await expect
      .poll(async () => (await storage.query(`select pid ${listeners}`)).length, WAIT)
      .toBe(2);
    expect((await writeElsewhere(device, { engine: { rpm: 1 } })).body).toMatchObject({
      accepted: 0,
    });
    await storage.transaction(async (tx) => {
      await tx.query(`select pg_terminate_backend(pid, 5000) ${listeners}`);
      // Sent to those who listen at the commit of this: nobody, or both again, who then invalidate all.
      await tx.query(
        `insert into variables (organization_id, id, device_id, topic_property_path,
           topic_property_path_folded, type, name, name_folded, is_logging_enabled, created_at,
           updated_at)
         values ($1, gen_random_uuid(), $2, 'engine.rpm', 'engine.rpm', 'NUMBER', 'Speed', 'speed', true, now(),
           now())`,
        [server.organizationId, device.id],
      );
    });
    await expect
      .poll(async () => (await writeElsewhere(device, { engine: { rpm: 2 } })).body.accepted, WAIT)
      .toBe(1);
  } finally {
    await stop();
  }
});
