import { operations } from '@fieldwatch/contract';
import { expect, it } from 'vitest';
import { startReceiver } from '../support/receiver.ts';
import { startServer } from '../support/server.ts';

it('an alarm notifies its webhook when it is raised, acknowledged and cleared', async () => {
  const server = await startServer({ env: { FIELDWATCH_OUTBOUND_ALLOW: '127.0.0.1' } });
  const receiver = await startReceiver();
  const { body: hook } = await server.call(operations.createWebhook, {
    body: { name: 'P', url: receiver.url },
  });
  const { body: group } = await server.call(operations.createAlarmGroup, {
    body: { name: 'G', subscriptions: [{ kind: 'WEBHOOK', webhookId: hook.id }] },
  });
  const { body: device } = await server.call(operations.createDevice, {
    body: { type: 'CUSTOM_DEVICE', name: 'Generator 2' },
  });
  const { body: variable } = await server.call(operations.createVariable, {
    params: { deviceId: device.id },
    body: {
      name: 'Oil pressure',
      topicPropertyPath: 'oil.pressure',
      type: 'NUMBER',
      isLoggingEnabled: true,
    },
  });
  await server.call(operations.createAlarm, {
    body: {
      name: 'Oil low',
      isActive: true,
      deviceId: device.id,
      deviceVariableId: variable.id,
      operator: 'LESS_THAN',
      thresholdValueNumber: 2,
      alarmGroupId: group.id,
      isAcknowledgeable: true,
      severity: 'CRITICAL',
    },
  });
  const write = (value: number) =>
    server.call(operations.writeReadings, {
      params: { deviceId: device.id },
      body: { data: { oil: { pressure: value } } },
    });
  expect((await write(1)).status).toBe(200);
  await expect.poll(() => receiver.received.length).toBe(1);
  const eventId = receiver.received[0]?.body.data.id;
  const ack = await server.call(operations.acknowledgeAlarmEvent, {
    auth: server.administrator,
    params: { eventId },
    body: { note: 'seen' },
  });
  expect(ack.status).toBe(200);
  await expect.poll(() => receiver.received.length).toBe(2);
  await write(3);
  await expect.poll(() => receiver.received.length).toBe(3);
  expect(receiver.received.map((r) => r.body.type)).toEqual([
    'alarm.raised',
    'alarm.acknowledged',
    'alarm.cleared',
  ]);
  const now = server.clock.now();
  const history = await server.call(operations.listAlarmHistory, {
    body: { startTime: now - 1e6, endTime: now + 1e6 },
  });
  expect(receiver.received[2]?.body.data).toEqual(history.body.items[0]);
  const timeline = await server.call(operations.listAlarmTimeline, { params: { eventId } });
  const steps = timeline.body.items.map(({ kind }: { kind: string }) => kind);
  expect(steps.filter((kind: string) => kind === 'NOTIFIED')).toHaveLength(3);
  await server.stop();
  await receiver.stop();
});
