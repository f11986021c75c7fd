import { operations } from '@fieldwatch/contract';
import { expect, it, onTestFinished } from 'vitest';
import { eventBench } from '../support/alarm-events.ts';
import { call } from '../support/call.ts';
import { createTestClock } from '../support/clock.ts';
import { createTestDatabase } from '../support/postgres.ts';
import { startServer } from '../support/server.ts';

it('a start with a longer default window brings Devices online whose last readings are within it', async () => {
  const { url: databaseUrl, drop } = await createTestDatabase();
  onTestFinished(drop);
  const clock = createTestClock();
  const first = await startServer({ databaseUrl, clock });
  const { organizationId, key: auth } = first;
  const bench = eventBench(() => first);
  const { deviceId, ...point } = await bench.newPoint();
  await bench.report({ deviceId, ...point }, 1);
  const onlineAt = async ({ url }: { readonly url: string }) => {
    const ask = (operation: Parameters<typeof call>[1], given: object) =>
      call(url, operation, { auth, params: { organizationId, deviceId }, ...given });
    const { body: device } = await ask(operations.retrieveDevice, {});
    const query = `ids[]=${device.onlineVariableId}`;
    const { body: latest } = await ask(operations.listLatestValues, { query });
    return [device.isOnline, latest.items[0]?.value];
  };
  await expect.poll(() => onlineAt(first)).toEqual([true, true]);
  clock.advance(6 * 60_000);
  await expect.poll(() => onlineAt(first)).toEqual([false, false]);
  await first.stop();
  const second = await startServer({
    ...{ databaseUrl, clock },
    env: {
      FIELDWATCH_ONLINE_MINUTES: '60',
      FIELDWATCH_ORGANIZATION_ID: crypto.randomUUID(),
      FIELDWATCH_ADMIN_EMAIL: 'second@example.com',
    },
  });
  onTestFinished(second.stop);
  await expect.poll(() => onlineAt(second)).toEqual([true, true]);
});
