import type { Fleet, Site } from '../model/index.ts';
import { everything, type Provisioned, type Target, variableId } from '../provision/index.ts';

const NAME = 'Fleet overview';
const DAY_SECONDS = 86_400;
const HISTORY_SECONDS = 3 * DAY_SECONDS;

/** Creates and publishes the Dashboard of the whole fleet, unless one of that name exists. */
export async function provideOverview(
  { client, organizationId }: Target,
  fleet: Fleet,
  provisioned: Provisioned,
): Promise<void> {
  const known = await everything((query) =>
    client.listDashboards({ organizationId, query: { ...query, archivedScope: 'all' } }),
  );
  if (known.some(({ name }) => name === NAME)) return;
  const widgets = widgetsOf(fleet, provisioned);
  const body = { name: NAME, isPublic: true, configuration: { version: 1 as const, widgets } };
  const { id: dashboardId } = await client.createDashboard({ organizationId, body });
  const comment = 'The whole fleet on one screen';
  await client.publishDashboard({ organizationId, dashboardId, body: { comment } });
}

function widgetsOf({ sites, assets }: Fleet, provisioned: Provisioned) {
  const variable = (site: Site, label: string, path: string) =>
    variableId(provisioned, { device: `${site.name}: ${label}`, path });
  const ofAll = (label: string, path: string) => sites.map((site) => variable(site, label, path));
  const generators = assets
    .filter(({ classificationType }) => classificationType === 'ELECTRICAL_GENERATOR')
    .map(({ name }) => provisioned.assets.get(name) ?? '');
  const first = sites.slice(0, 1).flatMap((site) => incidentWidgets(site, variable));
  return [
    ...first,
    chart('load', 'Load of each site', box(0, 3, 8, 6), ofAll('Switchboard', 'total.kw')),
    { id: 'alarms', type: 'ALARM_LIST', title: 'Active alarms', ...box(8, 3, 4, 6) },
    {
      id: 'generators',
      type: 'ASSET_TABLE',
      title: 'Generators',
      ...box(0, 9, 8, 5),
      assetIds: generators,
      classificationTypes: GENERATOR_COLUMNS,
    },
    { id: 'map', type: 'MAP', title: 'Sites', ...box(8, 9, 4, 5) },
    {
      id: 'switches',
      type: 'STATE_TIMELINE',
      title: 'Who feeds the load',
      ...box(0, 14, 12, 6),
      variableIds: ofAll('Transfer switch', 'switch.position'),
      rangeSeconds: HISTORY_SECONDS,
    },
    chart('fuel', 'Fuel', box(0, 20, 6, 6), ofAll('Generator', 'fuel.level'), HISTORY_SECONDS),
    chart('battery', 'Starter batteries', box(6, 20, 6, 6), ofAll('Generator', 'battery.volts')),
  ];
}

const GENERATOR_COLUMNS = ['ENGINE_STATE', 'FUEL_LEVEL', 'KW', 'BATTERY_VOLTAGE'].map(
  (name) => `ELECTRICAL_GENERATOR_${name}`,
);

/** The site of the incident. */
function incidentWidgets(
  site: Site,
  variable: (site: Site, label: string, path: string) => string,
) {
  const value = (id: string, title: string, x: number, variableId: string) => ({
    id,
    type: 'VALUE',
    title,
    ...box(x, 0, 3, 3),
    variableId,
  });
  const gauge = (id: string, title: string, x: number, variableId: string, max: number) => ({
    ...value(id, title, x, variableId),
    type: 'GAUGE',
    min: 0,
    max,
  });
  const { name, generator } = site;
  return [
    value('position', `${name}: switch`, 0, variable(site, 'Transfer switch', 'switch.position')),
    gauge('tank', `${name}: fuel`, 3, variable(site, 'Generator', 'fuel.level'), 100),
    gauge(
      'power',
      `${name}: generator`,
      6,
      variable(site, 'Generator', 'output.kw'),
      generator.ratedKw,
    ),
    value('hours', 'Running hours', 9, variable(site, 'Generator', 'counters.runningHours')),
  ];
}

function chart(
  id: string,
  title: string,
  place: ReturnType<typeof box>,
  variableIds: readonly string[],
  rangeSeconds = DAY_SECONDS,
) {
  // A chart has no more than this, and more lines could not be distinguished.
  return { id, type: 'CHART', title, ...place, variableIds: variableIds.slice(0, 5), rangeSeconds };
}

function box(x: number, y: number, w: number, h: number) {
  return { x, y, w, h };
}
