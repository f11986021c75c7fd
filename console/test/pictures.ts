import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createClient } from '@fieldwatch/client';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Run } from '../../server/test/support/checkout.ts';
import { createDataDir } from '../../server/test/support/data-dir.ts';
import { launchShell } from './support/chromium.ts';
import { signIn } from './support/console.ts';
import { printed, startDemo } from './support/demo.ts';

const FOLDER = fileURLToPath(new URL('../../docs/screenshots', import.meta.url));
const WIDE = { width: 1440, height: 900 };
const PHONE = { width: 360, height: 740 };
/** Charts and live values need this time. */
const DRAWN_AFTER_MS = 4_000;
/** The pictures of the design are beside each other. */
const SMALL_SCALE = 2 / 3;

interface Picture {
  readonly file: string;
  readonly path: string;
  readonly theme: 'light' | 'dark';
  readonly viewport: { readonly width: number; readonly height: number };
}

const directory = createDataDir();
let run: Run;
let browser: Browser;

beforeAll(async () => {
  run = startDemo(join(directory.path, 'data'));
  browser = await launchShell();
}, 60_000);

afterAll(async () => {
  await browser?.close();
  run?.signal('SIGTERM');
  await run?.ended;
  directory.remove();
});

function picturesOf(alarmId: string, dashboardId: string): readonly Picture[] {
  const alarm = `/alarms/configurations/${alarmId}`;
  return [
    { file: 'overview.png', path: '/', theme: 'light', viewport: { ...WIDE, height: 1000 } },
    { file: 'alarm-editor.png', path: alarm, theme: 'light', viewport: WIDE },
    { file: 'design-alarm-light.jpg', path: alarm, theme: 'light', viewport: WIDE },
    { file: 'design-devices-light.jpg', path: '/devices', theme: 'light', viewport: WIDE },
    { file: 'alarms-phone.png', path: '/alarms', theme: 'light', viewport: PHONE },
    { file: 'design-phone-light.jpg', path: '/', theme: 'light', viewport: PHONE },
    {
      file: 'dashboard.png',
      path: `/dashboards/${dashboardId}`,
      theme: 'dark',
      viewport: WIDE,
    },
    { file: 'design-devices-dark.jpg', path: '/devices', theme: 'dark', viewport: WIDE },
    { file: 'design-map-dark.jpg', path: '/locations?view=map', theme: 'dark', viewport: WIDE },
  ];
}

type Printed = ReturnType<typeof printed>;

async function take({ url, email, password }: Printed, picture: Picture): Promise<void> {
  const { file, path, theme, viewport } = picture;
  const isSmall = file.endsWith('.jpg') && viewport === WIDE;
  const context = await browser.newContext({
    ...{ baseURL: url, viewport, colorScheme: theme, timezoneId: 'Europe/Vienna' },
    deviceScaleFactor: isSmall ? SMALL_SCALE : 1,
  });
  const page = await context.newPage();
  await page.goto(path);
  await signIn(page, email, password);
  await page.locator('[data-live="live"]').waitFor();
  await page.waitForTimeout(DRAWN_AFTER_MS);
  await page.mouse.move(0, 0);
  await page.screenshot({ path: join(FOLDER, file), animations: 'disabled' });
  await context.close();
}

it('the pictures of the documentation, from the demo', async () => {
  const demo = printed(await run.until('goes on publishing'));
  const { url, organizationId, email, password } = demo;
  const api = createClient({ baseUrl: url, credentials: { email, password } });
  const alarms = await api.searchAlarms({
    organizationId,
    body: { search: 'Harbour Cold Store: Generator fuel below 20', take: 1 },
  });
  const boards = await api.listDashboards({ organizationId, query: { take: 1 } });
  const [alarm] = alarms.items;
  const [board] = boards.items;
  expect([alarm, board]).not.toContain(undefined);
  for (const picture of picturesOf(alarm?.id ?? '', board?.id ?? '')) await take(demo, picture);
});
