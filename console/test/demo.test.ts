import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClient } from '@fieldwatch/client';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Run, startInCheckout } from '../../server/test/support/checkout.ts';
import { createDataDir } from '../../server/test/support/data-dir.ts';
import { documented, withoutNpm } from '../../server/test/support/documented-commands.ts';
import { spawnServer } from '../../server/test/support/process.ts';
import { incidentStory } from './stories/incident.ts';
import { launchShell } from './support/chromium.ts';
import { signIn } from './support/console.ts';
import { DEMO, DEMO_SETTINGS, printed, startDemo } from './support/demo.ts';

const DAY_MS = 86_400_000;
const directory = createDataDir();
const dataDir = join(directory.path, 'data');
const demoDir = `${dataDir}-demo`;
const SETTINGS = { ...DEMO_SETTINGS, FIELDWATCH_DATA_DIR: dataDir };
const SMALL = ['--sites', '2', '--interval', '900'];
const runs: Run[] = [];

afterAll(async () => {
  for (const run of runs) run.signal('SIGTERM');
  await Promise.all(runs.map(({ ended }) => ended));
  directory.remove();
});

function start(...args: string[]) {
  const run = startDemo(dataDir, ...args);
  runs.push(run);
  return run;
}

const DELETE = withoutNpm(documented('docs/demo.md', 'npm run demo:delete'));
const deleteDemo = () => startInCheckout('bash', ['-c', DELETE], SETTINGS).ended;

/** The tests run in this order: each start uses the data of the previous one. */
describe('npm start -- --demo', () => {
  let first: ReturnType<typeof printed>;
  let run: Run;

  it('prints that it is a demo and its data directory', async () => {
    run = start(...SMALL);
    const output = await run.until('goes on publishing');
    first = printed(output);
    expect(output).toContain('THIS IS A DEMO');
    expect(output).toContain(demoDir);
    expect(existsSync(dataDir)).toBe(false);
  });

  it('has three days of history, a partly answered incident and a maintenance window', async () => {
    const { url, organizationId, email, password } = first;
    const client = createClient({ baseUrl: url, credentials: { email, password } });
    expect(await client.retrieveSignInOptions()).toEqual({
      isDemo: true,
      provider: null,
      mapTiles: null,
    });
    expect(await client.retrieveOrganization({ organizationId })).toMatchObject({
      name: 'Demo organization',
    });
    const query = { search: 'Total power' };
    const [variable] = (await client.listVariables({ organizationId, query })).items;
    const { items: readings } = await client.listReadings({
      organizationId,
      variableId: variable?.id ?? '',
      query: { startTime: Date.now() - 4 * DAY_MS, endTime: Date.now() },
    });
    const times = readings.flatMap((each) => ('timestamp' in each ? [each.timestamp] : []));
    expect(times.length).toBeGreaterThan(280);
    expect(Math.max(...times) - Math.min(...times)).toBeGreaterThan(2.9 * DAY_MS);

    const { items: events } = await client.listAlarmHistory({
      organizationId,
      body: { startTime: Date.now() - DAY_MS, endTime: Date.now() },
    });
    const open = events.filter(({ clearedDateTime }) => clearedDateTime === null);
    expect(new Set(open.map(({ severity }) => severity))).toEqual(
      new Set(['INFO', 'LOW', 'MEDIUM', 'HIGH', 'CRITICAL']),
    );
    const found = (end: string) => open.find(({ alarmName }) => alarmName.endsWith(end));
    expect(found('Utility lost')).toMatchObject({ acknowledgedBy: email });
    expect(found('Utility lost')?.notes).toHaveLength(1);
    expect(found('fuel below 20 %')).toMatchObject({ acknowledgedDateTime: null });

    const titles = async (state: 'ACTIVE' | 'ACKNOWLEDGED') => {
      const { items } = await client.listPages({ organizationId, query: { states: [state] } });
      return items.map(({ title }) => title);
    };
    expect(await titles('ACKNOWLEDGED')).toContainEqual(expect.stringContaining('Utility lost'));
    expect(await titles('ACTIVE')).toContainEqual(expect.stringContaining('fuel below 20 %'));
    const [window] = (await client.listMaintenanceWindows({ organizationId })).items;
    const suppression = { kind: 'MAINTENANCE', id: window?.id };
    expect(found('battery voltage low')).toMatchObject({ suppression });

    const { items: boards } = await client.listDashboards({ organizationId });
    expect(boards.map(({ name, isPublic }) => [name, isPublic])).toContainEqual([
      'Fleet overview',
      true,
    ]);
  });

  describe('in a browser', () => {
    let browser: Browser;
    let page: Page;

    beforeAll(async () => {
      browser = await launchShell();
      page = await (await browser.newContext({ baseURL: first.url, locale: 'en-US' })).newPage();
    });

    afterAll(() => browser?.close());

    it('shows the demo banner on every page, before and after sign-in', async () => {
      const banner = page.getByRole('complementary', { name: 'Demo' });
      await page.goto('/');
      await banner.getByText('All data is simulated').waitFor();
      await page.getByText('in the terminal where the demo was started').waitFor();
      await signIn(page, first.email, first.password);
      await banner.waitFor();
      await page.getByRole('link', { name: 'Dashboards', exact: true }).click();
      await page.getByRole('link', { name: 'Fleet overview' }).click();
      await page.getByRole('button', { name: 'Full screen' }).click();
      await page.getByRole('button', { name: 'Edit' }).waitFor({ state: 'hidden' });
      // The topmost element is the visible one.
      const top = await page.evaluate(() => document.elementFromPoint(200, 10)?.textContent);
      expect(top).toContain('This is a demo');
    });

    incidentStory(() => page);
  });

  it('refuses deletion while it runs, and stops all its processes on Ctrl-C', async () => {
    const { exitCode, output } = await deleteDemo();
    expect([exitCode, output]).toEqual([1, expect.stringContaining('The demo runs')]);
    run.signalAll('SIGINT');
    expect(await run.ended).toMatchObject({ exitCode: 0 });
  });

  it('refuses to start a regular server in its directory', async () => {
    const server = spawnServer({ FIELDWATCH_DATA_DIR: demoDir });
    expect(await server.ended).toMatchObject({ code: 1 });
    expect(server.output()).toContain('contains a demo');
  });

  it('continues with the same password after a restart, and stops with its server', async () => {
    run = start(...SMALL);
    const output = await run.until('goes on publishing');
    expect(printed(output)).toMatchObject({ ...first, url: expect.any(String) });
    expect(output).toContain('Devices: 0 made, 10 found');
    expect(output).toMatch(/history of 2 sites, \d+ minutes/);
    // The pipes of its output close when the fleet, which has them too, has ended as well.
    run.signal('SIGTERM');
    expect(await run.ended).toMatchObject({ exitCode: 0 });
  });

  it('deletes its directory with demo:delete', async () => {
    expect(await deleteDemo()).toMatchObject({ exitCode: 0 });
    expect(existsSync(demoDir)).toBe(false);
  });

  it('refuses DATABASE_URL and FIELDWATCH_MQTT_URL', async () => {
    const shared = {
      ...SETTINGS,
      DATABASE_URL: 'postgres://localhost/real',
      FIELDWATCH_MQTT_URL: 'mqtt://localhost',
    };
    const { exitCode, output } = await startInCheckout('bash', ['-c', DEMO], shared).ended;
    expect(exitCode).toBe(1);
    expect(output).toMatch(/^DATABASE_URL must not be set for a demo/m);
    expect(output).toMatch(/^FIELDWATCH_MQTT_URL must not be set for a demo/m);
    expect(existsSync(demoDir)).toBe(false);
  });

  it('does not delete a directory that is not a demo', async () => {
    mkdirSync(demoDir);
    writeFileSync(join(demoDir, 'secret.key'), 'of a real installation');
    expect(await deleteDemo()).toMatchObject({ exitCode: 1 });
    expect(existsSync(join(demoDir, 'secret.key'))).toBe(true);
  });
});
