import { readFileSync } from 'node:fs';
import { operations } from '@fieldwatch/contract';
import { beforeAll, expect, it } from 'vitest';
import { someOf } from '../../../server/test/support/soak.ts';
import { goTo } from '../support/console.ts';
import type { FleetJourney } from '../support/fleet-journey.ts';
import { HANDS, type Hand, handOf } from '../support/hands.ts';

const HOUR_MS = 60 * 60_000;
/** One reading per hour, within the last 30 days. */
const READINGS_PER_VARIABLE = 700;
const SECTION = { name: 'Variables', key: 'v' };

/** At Site 08 and at Site 13. */
const FIRST = 'Fuel tank 0007';
const SECOND = 'Fuel tank 0012';
const PATHS = {
  'power.kw': 'Real power',
  'engine.oil': 'Oil pressure',
  'fuel.level': 'Fuel level',
  'battery.volts': 'Battery voltage',
} as const;

/** Distinct for each Variable, so that an export cannot mix them up. */
const readingOf = (device: string, path: string, hour: number) =>
  (device === FIRST ? 1 : 2) * 10_000 + path.length * 1_000 + hour;

async function writeMonth({ world }: FleetJourney, device: string): Promise<number> {
  const { server } = world;
  const auth = server.administrator;
  const body = { search: device, take: 1 };
  const found = await server.call(operations.searchDevices, { body, auth });
  const lastHour = Math.floor(server.clock.now() / HOUR_MS) * HOUR_MS;
  const dataArray = Object.keys(PATHS).flatMap((key) =>
    Array.from({ length: READINGS_PER_VARIABLE }, (_, hour) => ({
      key,
      value: readingOf(device, key, hour),
      timestamp: lastHour - hour * HOUR_MS,
    })),
  );
  const params = { deviceId: found.body.items[0].id };
  const reply = await server.call(operations.writeReadings, { params, body: { dataArray }, auth });
  expect(reply.status).toBeLessThan(300);
  return lastHour;
}

/** Charts Variables of a Device that is found by its name, and by its site if given. */
async function chart(
  { page }: FleetJourney,
  hand: Hand,
  device: string,
  { site = '', names }: { readonly site?: string; readonly names: readonly string[] },
) {
  const search = [device, site, names.length === 1 ? names[0] : ''].join(' ');
  await hand.write(page.getByRole('searchbox'), search);
  await page.getByText(new RegExp(`^${names.length} record`)).waitFor();
  for (const name of names) {
    const toggle = page
      .getByRole('row', { name: device })
      .getByRole('button', { name: `Show ${name} in the chart` });
    await hand.press(toggle);
    await expect.poll(() => toggle.getAttribute('aria-pressed')).toBe('true');
  }
}

/** Work with the history of Variables that are found among 20 000. */
export function fleetChartsStory(journey: () => FleetJourney): void {
  let lastHour: number;

  beforeAll(async () => {
    lastHour = await writeMonth(journey(), FIRST);
    await writeMonth(journey(), SECOND);
  });

  it.each(someOf(HANDS, 0.5))('compares two sites in one chart by %s', async (by) => {
    const { page } = journey();
    const hand = handOf(page, by);
    await goTo(page, '/');
    await hand.open(SECTION);
    await page.getByText('records').first().waitFor();
    await chart(journey(), hand, FIRST, { site: 'site 08', names: ['Real power'] });
    await chart(journey(), hand, SECOND, { site: 'site 13', names: ['Real power'] });
    const table = page.getByRole('table', { name: 'Statistics of the range' });
    await table.getByRole('row', { name: /Fuel tank 0007 · Real power .*18,0\d\d kW/ }).waitFor();
    await table.getByRole('row', { name: /Fuel tank 0012 · Real power .*28,0\d\d kW/ }).waitFor();
    await page.getByRole('application', { name: /Fuel tank 0007.*Fuel tank 0012/ }).waitFor();
  });

  it('exports a month of five Variables as one CSV by keyboard alone', async () => {
    const { page, button } = journey();
    const hand = handOf(page, 'keyboard alone');
    await goTo(page, '/');
    await hand.open(SECTION);
    await page.getByText('records').first().waitFor();
    await chart(journey(), hand, FIRST, { names: Object.values(PATHS) });
    await chart(journey(), hand, SECOND, { names: ['Real power'] });
    await hand.press(button(/^Choose a time range/));
    await hand.write(page.getByRole('textbox', { name: 'Range' }), 'last 30 days');
    await page.keyboard.press('Enter');
    await page.waitForURL(/last=month/);
    await hand.press(button('Export'));
    const download = page.waitForEvent('download');
    await hand.press(page.getByRole('menuitem', { name: 'CSV, every reading' }));
    const file = await download;
    expect(file.suggestedFilename()).toMatch(/^5 Variables 2\d{3}-.*Z to 2.*Z\.csv$/);
    const [head, ...lines] = readFileSync(await file.path(), 'utf8')
      .trim()
      .split('\r\n');
    expect(head).toBe('time,device,variable,unit,value,variableId');
    expect(lines).toHaveLength(5 * READINGS_PER_VARIABLE);
    const rows = lines.map((line) => line.split(','));
    const valuesOf = (device: string, variable: string) =>
      rows.filter((row) => row[1] === device && row[2] === variable).map((row) => Number(row[4]));
    const expected = (device: string, path: string) =>
      Array.from({ length: READINGS_PER_VARIABLE }, (_, hour) =>
        readingOf(device, path, hour),
      ).toReversed();
    for (const [path, name] of Object.entries(PATHS)) {
      expect(valuesOf(FIRST, name)).toEqual(expected(FIRST, path));
    }
    expect(valuesOf(SECOND, 'Real power')).toEqual(expected(SECOND, 'power.kw'));
    expect(rows.map(([time]) => time)).toContain(new Date(lastHour).toISOString());
  });
}
