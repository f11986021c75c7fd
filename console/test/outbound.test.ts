import { operations } from '@fieldwatch/contract';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventBench } from '../../server/test/support/alarm-events.ts';
import { startChirpstack } from '../../server/test/support/chirpstack.ts';
import { rowsIn } from '../../server/test/support/database.ts';
import { pagingCalls } from '../../server/test/support/paging.ts';
import { type Receiver, startReceiver } from '../../server/test/support/receiver.ts';
import { lorawanRegistrationStory, type Registration } from './stories/lorawan-registration.ts';
import { goTo, signIn, startConsole, type TestConsole } from './support/console.ts';
import { type PageActions, pageActions } from './support/journey.ts';

const PHONE = { width: 320, height: 740 };
const WIDE = { width: 1280, height: 800 };

let world: TestConsole;
let page: Page;
let actions: PageActions;
let receiver: Receiver;
let chirpstack: Registration['chirpstack'];

beforeAll(async () => {
  receiver = await startReceiver();
  chirpstack = await startChirpstack();
  world = await startConsole({
    env: { FIELDWATCH_OUTBOUND_ALLOW: '127.0.0.1', FIELDWATCH_ONLINE_MINUTES: '2' },
  });
  page = await (await world.newContext()).newPage();
  actions = pageActions(page);
  await page.goto('/administration/lorawan');
  await signIn(page, world.server.adminEmail, world.server.adminPassword);
});

afterAll(async () => {
  await world?.stop();
  await receiver.stop();
  await chirpstack.stop();
});

/** The tests run in this order: each continues where the previous one ended. */
describe('LoRaWAN in the console', () => {
  lorawanRegistrationStory(() => ({ world, page, chirpstack }));
});

describe('the test of a webhook', () => {
  const dialog = () => page.getByRole('dialog', { name: 'Test Pager' });
  const testTypes = () => receiver.received.map(({ body }) => body.type);

  it('is sent by keyboard from the list, and shows that the receiver accepted it', async () => {
    const body = { name: 'Pager', url: receiver.url };
    await world.server.call(operations.createWebhook, { body });
    await goTo(page, '/administration/webhooks');
    await actions.button('Send a test message: Pager').focus();
    await page.keyboard.press('Enter');
    await dialog().getByText('A message that is marked as a test is sent now').waitFor();
    await actions.button('Send', dialog()).focus();
    await page.keyboard.press('Enter');
    await dialog()
      .getByText(/^The receiver accepted the message: 200, after \d+ ms\.$/)
      .waitFor();
    expect(testTypes()).toEqual(['text']);
  });

  it('shows how a receiver refused it, on a phone too', async () => {
    receiver.answer(503);
    await page.setViewportSize(PHONE);
    await actions.button('Send', dialog()).click();
    await dialog()
      .getByText(/^Not accepted after \d+ ms: .*503/)
      .waitFor();
    expect(testTypes()).toEqual(['text', 'text']);
    receiver.answer(200);
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
    await page.setViewportSize(WIDE);
  });
});

describe('a page during maintenance', () => {
  it('has a badge in the list, and says why it is suppressed until it is escalated', async () => {
    const { server } = world;
    const { newPagedGroup, seen } = pagingCalls(() => server);
    const bench = eventBench(() => server);
    const { items } = (await server.call(operations.listWebhooks)).body;
    const targets = [{ kind: 'WEBHOOK', webhookId: items[0].id }];
    const steps = [0, 600].map((afterSeconds) => ({ afterSeconds, targets }));
    const { alarmGroupId, policyId } = await newPagedGroup({ steps });
    const { point, alarm } = await bench.newWatched({ alarmGroupId });
    await bench.report(point, 60);
    await seen(policyId, { state: 'ACTIVE', step: 0 });
    const to = new Date(server.clock.now() + 3_600_000).toISOString();
    const body = { scope: { alarmIds: [alarm.id] }, reason: 'Oil change', to };
    await server.call(operations.createMaintenanceWindow, { body });
    await seen(policyId, { state: 'SUPPRESSED' });

    await goTo(page, '/alarms/pages');
    const row = page.getByRole('row').filter({ hasText: 'Suppressed' });
    await row.getByRole('link').first().click();
    const main = page.getByRole('main');
    await main.getByText('Oil change').waitFor();
    expect(await main.getByText('Suppressed', { exact: true }).count()).toBe(2);
    expect(await main.getByText('next step').count()).toBe(0);
    await actions.button('Escalate').click();
    await page.getByText('The next step is run now').waitFor();
    await main.getByText('Active', { exact: true }).waitFor();
    await main.getByText('Escalated', { exact: true }).waitFor();
  });
});

describe('the event of a Device behind one that no Alarm reports', () => {
  it('offers the Alarm, with its Variable filled in, until there is one', async () => {
    const { server } = world;
    const create = async (operation: Parameters<typeof server.call>[0], fields: object) => {
      const { status, text, body } = await server.call(operation, { body: fields });
      expect(status, text).toBe(201);
      return body;
    };
    const device = { type: 'CUSTOM_DEVICE', name: 'Gateway' };
    const gateway = await create(operations.createDevice, device);
    const sensor = await create(operations.createDevice, {
      ...{ ...device, name: 'Sensor 1', parentDeviceId: gateway.id },
    });
    const watched = { operator: 'EQUAL', thresholdValueBoolean: false, isActive: true };
    const terms = { ...watched, severity: 'HIGH', alarmGroupId: null };
    await create(operations.createAlarm, {
      ...{ ...terms, name: 'Sensor offline', deviceId: sensor.id },
      deviceVariableId: sensor.onlineVariableId,
    });
    for (const { id: deviceId } of [gateway, sensor]) {
      const params = { deviceId };
      await server.call(operations.writeReadings, { params, body: { data: { any: 1 } } });
    }
    // Recorded as seen: before, a Device that is silent does not count as offline.
    const recorded = () =>
      rowsIn(
        server.databaseUrl,
        'select id from devices where is_online and last_seen_at is not null and id = any($1)',
        [[gateway.id, sensor.id]],
      );
    await expect.poll(async () => (await recorded()).length).toBe(2);
    server.clock.advance(5 * 60_000);
    await goTo(page, '/alarms');
    await page.getByRole('link', { name: 'Sensor offline' }).click();
    const offer = page.getByRole('note').filter({ hasText: 'No Alarm reports that Gateway' });
    await offer.getByRole('link', { name: 'Create this Alarm' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Gateway offline');
    expect(page.url()).toContain(gateway.onlineVariableId);
    await page.goBack();
    const question = page.getByRole('dialog', { name: 'Leave without saving' });
    await question.getByRole('button', { name: 'Leave without saving' }).click();
    await offer.waitFor();
    await create(operations.createAlarm, {
      ...{ ...terms, name: 'Gateway offline', deviceId: gateway.id },
      deviceVariableId: gateway.onlineVariableId,
    });
    await page.reload();
    await page.getByRole('heading', { name: 'Sensor offline' }).waitFor();
    await offer.waitFor({ state: 'detached' });
  });

  it('logs no error in the browser', () => {
    expect(world.browserErrors).toEqual([]);
  });
});
