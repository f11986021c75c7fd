import { operations } from '@fieldwatch/contract';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { rowsIn } from '../../../server/test/support/database.ts';
import { goTo } from '../support/console.ts';
import type { FilledConsole } from '../support/filled-console.ts';

const PHONE = { width: 360, height: 800 };
const WIDE = { width: 1280, height: 800 };

/** A name without a place to break it, as people give to Locations and Devices. */
const LONG_NAME = 'PumpingStation'.repeat(6);
const NAMES = ['Level low', 'Level very low', 'Level unusually low'] as const;
const HOUR_MS = 60 * 60_000;

/** Three active alarms of one Device, raised more than a day ago. */
async function raiseAlarms({ world: { server } }: FilledConsole) {
  const auth = server.administrator;
  const make = async (operation: Parameters<typeof server.call>[0], body: object, params = {}) => {
    const reply = await server.call(operation, { body, params, auth });
    if (reply.status >= 300) throw new Error(`${operation.id}: ${reply.text}`);
    return reply.body;
  };
  const location = await make(operations.createLocation, { name: LONG_NAME });
  const { id: deviceId } = await make(operations.createDevice, {
    ...{ type: 'CUSTOM_DEVICE', name: LONG_NAME, locationId: location.id },
  });
  const { id: deviceVariableId } = await make(
    operations.createVariable,
    { topicPropertyPath: 'tank.level', name: 'Level', type: 'NUMBER', isLoggingEnabled: true },
    { deviceId },
  );
  const alarmIds: string[] = [];
  for (const name of NAMES) {
    const alarm = await make(operations.createAlarm, {
      ...{ name, isActive: true, deviceId, deviceVariableId, operator: 'LESS_THAN' },
      ...{ thresholdValueNumber: 10, severity: 'LOW', isAcknowledgeable: true, alarmGroupId: null },
    });
    alarmIds.push(alarm.id);
  }
  const params = { organizationId: server.organizationId, deviceId };
  await make(operations.writeReadings, { data: { tank: { level: 5 } } }, params);
  await rowsIn(
    server.databaseUrl,
    `update alarm_events set raised_at = raised_at - interval '26 hours'
      where alarm_id = any ($1::uuid[])`,
    [alarmIds],
  );
  return { deviceId, locationId: location.id, shelvedId: alarmIds[2] ?? '' };
}

/** The list of active alarms, of a signed-in administrator. Each test continues where the previous one ended. */
export function activeAlarmsStory(filled: () => FilledConsole): void {
  let page: Page;
  let [deviceId, locationId, shelvedId] = ['', '', ''];

  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const linkOf = (name: string) => page.getByRole('link', { name, exact: true });
  const rowOf = (name: string) => page.getByRole('listitem').filter({ has: linkOf(name) });
  const hasFocus = (target: Locator) =>
    target.evaluate((element) => element === document.activeElement);

  beforeAll(async () => {
    page = filled().page;
    ({ deviceId, locationId, shelvedId } = await raiseAlarms(filled()));
    await page.setViewportSize(WIDE);
    await page.goto('/alarms');
  });

  afterAll(async () => {
    const { server } = filled().world;
    await page.setViewportSize(WIDE);
    for (const [operation, params] of [
      [operations.deleteDevice, { deviceId }],
      [operations.deleteLocation, { locationId }],
    ] as const) {
      const { status } = await server.call(operation, { params, auth: server.administrator });
      expect(status).toBeLessThan(300);
    }
  });

  it('shows the time of an alarm of yesterday beside how it is handled', async () => {
    const row = rowOf('Level low');
    const state = row.getByText('Unacknowledged', { exact: true });
    // A row out of sight has no layout.
    await state.scrollIntoViewIfNeeded();
    const time = row.getByText(/\d{4}, \d\d:\d\d/);
    const right = await time.evaluate((element) => {
      const text = document.createRange();
      text.selectNodeContents(element);
      return text.getBoundingClientRect().right;
    });
    expect(right).toBeGreaterThan(0);
    expect(right).toBeLessThanOrEqual((await state.boundingBox())?.x ?? 0);
  });

  it('keeps the focus in the row whose alarm is acknowledged by keyboard', async () => {
    await button('Acknowledge: Level very low').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByLabel(/^Note/).waitFor();
    await page.keyboard.press('Control+Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(() => hasFocus(linkOf('Level very low'))).toBe(true);
  });

  it('does not list a shelved alarm while it is unknown which are shelved', async () => {
    const { server } = filled().world;
    const untilDateTime = new Date(server.clock.now() + HOUR_MS).toISOString();
    const { status } = await server.call(operations.shelveAlarm, {
      params: { alarmId: shelvedId },
      body: { untilDateTime, reason: 'The float is stuck' },
      auth: server.administrator,
    });
    expect(status).toBeLessThan(300);
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/alarms/search*', async (route) => {
      await released;
      await route.continue();
    });
    const listed = page.waitForResponse(/\/alarm-history$/);
    await page.reload();
    await listed;
    await page.getByRole('status', { name: 'Loading' }).waitFor();
    release();
    await linkOf('Level low').waitFor();
    expect(await linkOf('Level unusually low').count()).toBe(0);
    await page.unroute('**/alarms/search*');
  });

  it('shows on a phone how each alarm is handled', async () => {
    await page.setViewportSize(PHONE);
    await goTo(page, '/alarms?shelved=INCLUDED');
    await rowOf('Level very low').getByText('Acknowledged', { exact: true }).waitFor();
    await rowOf('Level unusually low').getByText('Shelved', { exact: true }).waitFor();
    expect(await rowOf('Level low').getByText('Unacknowledged').isVisible()).toBe(false);
    await button('Acknowledge: Level low').waitFor();
  });

  it.each(['/alarms', 'Device', 'Location'])(
    'is not widened by a long name on a phone: %s',
    async (at) => {
      const paths: Readonly<Record<string, string>> = {
        Device: `/devices/${deviceId}`,
        Location: `/locations/${locationId}`,
      };
      await page.setViewportSize(PHONE);
      await goTo(page, paths[at] ?? at);
      await linkOf('Level low').first().waitFor();
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(PHONE.width);
    },
  );
}
