import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bulkStory } from './stories/bulk.ts';
import { fleetAlarmsStory } from './stories/fleet-alarms.ts';
import { fleetBoardsStory } from './stories/fleet-boards.ts';
import { fleetChartsStory } from './stories/fleet-charts.ts';
import { fleetOverviewStory } from './stories/fleet-overview.ts';
import { fleetTablesStory } from './stories/fleet-tables.ts';
import { listsStory } from './stories/lists.ts';
import { signIn, startConsole } from './support/console.ts';
import type { FleetJourney } from './support/fleet-journey.ts';
import { pageActions } from './support/journey.ts';
import { fillLargeFleet } from './support/large-fleet.ts';

let journey: FleetJourney;

beforeAll(async () => {
  const world = await startConsole();
  const fleet = await fillLargeFleet(world.server);
  const page = await (await world.newContext()).newPage();
  journey = { ...pageActions(page), world, fleet, page };
  await page.goto('/devices');
  await signIn(page, world.server.adminEmail, world.server.adminPassword);
});

afterAll(() => journey?.world.stop());

/** The stories share a server and a page; each begins with the address that it needs. */
describe('the console with 5 000 Devices and 20 000 Variables', () => {
  fleetOverviewStory(() => journey);
  fleetTablesStory(() => journey);
  bulkStory(() => journey);
  listsStory(() => journey);
  fleetChartsStory(() => journey);
  fleetBoardsStory(() => journey);
  fleetAlarmsStory(() => journey);

  it('logs no error in the browser', () => {
    expect(journey.world.browserErrors).toEqual([]);
  });
});
