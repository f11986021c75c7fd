import type { Fleet, Site } from '../model/index.ts';
import { type Members, variableId } from './devices.ts';
import { everything, type Target } from './own.ts';

const DAY_SECONDS = 86_400;

/** Creates and publishes a Dashboard for each site that has none. This requires a user. */
export async function provideDashboards(
  { client, organizationId }: Target,
  fleet: Fleet,
  members: Members,
): Promise<number> {
  const known = await everything((query) =>
    client.listDashboards({ organizationId, query: { ...query, archivedScope: 'all' } }),
  );
  const names = new Set(known.map(({ name }) => name));
  let created = 0;
  for (const site of fleet.sites) {
    const name = `${site.name} (simulated)`;
    if (names.has(name)) continue;
    const body = { name, isPublic: true, configuration: configurationOf(site, members) };
    const { id: dashboardId } = await client.createDashboard({ organizationId, body });
    const comment = 'First version';
    await client.publishDashboard({ organizationId, dashboardId, body: { comment } });
    created += 1;
  }
  return created;
}

function configurationOf(site: Site, members: Members) {
  const id = (label: string, path: string) =>
    variableId(members, { device: `${site.name}: ${label}`, path });
  const feeders = site.feeders.map((_, index) => id('Switchboard', `feeder${index + 1}.kw`));
  const widgets = [
    gauge('load', 'Load', id('Switchboard', 'total.kw'), 0, site.generator.ratedKw),
    gauge('fuel', 'Fuel', id('Generator', 'fuel.level'), 3, 100),
    gauge('coolant', 'Coolant', id('Generator', 'engine.coolantTemperature'), 6, 120),
    {
      id: 'state',
      type: 'VALUE',
      title: 'Engine',
      ...box(9, 0, 3, 3),
      variableId: id('Generator', 'engine.state'),
    },
    {
      id: 'feeders',
      type: 'CHART',
      title: 'Feeders',
      ...box(0, 3, 8, 5),
      variableIds: feeders,
      rangeSeconds: DAY_SECONDS,
    },
    {
      id: 'alarms',
      type: 'ALARM_LIST',
      title: 'Alarms',
      ...box(8, 3, 4, 5),
      variableIds: [id('Transfer switch', 'utility.available'), id('Generator', 'fuel.level')],
    },
    {
      id: 'states',
      type: 'STATE_TIMELINE',
      title: 'Who feeds the load',
      ...box(0, 8, 12, 3),
      variableIds: [
        id('Transfer switch', 'switch.position'),
        id('Transfer switch', 'utility.available'),
        id('Generator', 'engine.state'),
      ],
      rangeSeconds: 7 * DAY_SECONDS,
    },
  ];
  return { version: 1 as const, widgets };
}

function gauge(id: string, title: string, variable: string, x: number, max: number) {
  return { id, type: 'GAUGE', title, ...box(x, 0, 3, 3), variableId: variable, min: 0, max };
}

function box(x: number, y: number, w: number, h: number) {
  return { x, y, w, h };
}
