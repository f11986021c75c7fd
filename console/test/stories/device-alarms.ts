import { operations } from '@fieldwatch/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { goTo } from '../support/console.ts';
import type { FilledConsole } from '../support/filled-console.ts';
import { pageActions } from '../support/journey.ts';

const ALARM_COUNT = 32;
const DEVICE = 'Crowded controller';

/** The page of a Device whose alarms would fill several screens; continues in the session before. */
export function deviceAlarmsStory(filled: () => FilledConsole): void {
  const alarmIds: string[] = [];

  const call = async (
    operation: Parameters<FilledConsole['world']['server']['call']>[0],
    options = {},
  ) => {
    const { server } = filled().world;
    const reply = await server.call(operation, { auth: server.administrator, ...options });
    if (reply.status >= 300) throw new Error(`${operation.id}: ${reply.text}`);
    return reply.body;
  };

  beforeAll(async () => {
    const { id } = await call(operations.createDevice, {
      body: { type: 'CUSTOM_DEVICE', name: DEVICE },
    });
    const params = { deviceId: id };
    const variable = await call(operations.createVariable, {
      ...{ params },
      body: { topicPropertyPath: 'power.kw', name: 'Load', type: 'NUMBER', isLoggingEnabled: true },
    });
    for (let number = 1; number <= ALARM_COUNT; number += 1) {
      const body = {
        ...{ name: `Load above ${number}`, isActive: true, deviceId: id, severity: 'INFO' },
        ...{ deviceVariableId: variable.id, operator: 'GREATER_THAN', alarmGroupId: null },
        ...{ thresholdValueNumber: number, isAcknowledgeable: false },
      };
      alarmIds.push((await call(operations.createAlarm, { body })).id);
    }
    await call(operations.writeReadings, { params, body: { data: { power: { kw: 100 } } } });
  });

  // The alarms would be those of the stories after this one.
  afterAll(async () => {
    for (const alarmId of alarmIds) await call(operations.archiveAlarm, { params: { alarmId } });
  });

  it('opens at its top with a few of the alarms above the tabs, and keeps a tab in view that is clicked', async () => {
    const { page } = filled();
    const { button } = pageActions(page);
    const alarms = page
      .getByRole('region', { name: 'Active alarms' })
      .getByRole('link', { name: /^Load above/ });
    const wide = page.viewportSize() ?? { width: 1280, height: 800 };
    await page.setViewportSize({ ...wide, height: 360 });
    await goTo(page, '/devices');
    await page.getByRole('link', { name: DEVICE }).click();
    await expect.poll(() => alarms.count()).toBe(5);
    await page.getByRole('tab', { name: 'Health' }).waitFor();
    await page.evaluate(
      () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
    );
    expect(await page.evaluate(() => window.scrollY)).toBe(0);
    await button('Show 27 more').click();
    await expect.poll(() => alarms.count()).toBe(ALARM_COUNT);
    await page.getByRole('tab', { name: 'Health' }).click();
    await page.getByText('Accepted readings').waitFor();
    const { y = -1 } = (await page.getByRole('tab', { name: 'Health' }).boundingBox()) ?? {};
    expect(y).toBeGreaterThan(0);
    expect(y).toBeLessThan(360);
    await button('Show fewer').click();
    await expect.poll(() => alarms.count()).toBe(5);
    await page.setViewportSize(wide);
  });
}
