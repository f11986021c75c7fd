import type { Fleet } from './fleet.ts';

export interface ConsolePage {
  readonly name: string;
  readonly path: string;
  /** A text that the loaded page contains. */
  readonly shows: string;
}

/** Every page of the console. */
export function pagesOf(fleet: Fleet): readonly ConsolePage[] {
  const device = `/devices/${fleet.deviceId}`;
  return [
    { name: 'overview', path: '/', shows: 'Changed in the last hour' },
    { name: 'welcome', path: '/welcome', shows: 'Welcome to Fieldwatch' },
    { name: 'active-alarms', path: '/alarms', shows: 'By site' },
    { name: 'alarm-history', path: '/alarms/history', shows: 'Oil pressure low' },
    { name: 'alarm-statistics', path: '/alarms/statistics', shows: 'Most frequent' },
    { name: 'alarm-event', path: `/alarms/events/${fleet.eventId}`, shows: 'Timeline' },
    { name: 'alarms', path: '/alarms/configurations', shows: 'Oil pressure low' },
    { name: 'alarm-new', path: '/alarms/configurations/new', shows: 'Watched Variable' },
    {
      name: 'alarm',
      path: `/alarms/configurations/${fleet.alarmId}`,
      shows: 'Backtest on stored history',
    },
    { name: 'devices', path: '/devices', shows: 'Generator 1 controller' },
    { name: 'device', path: device, shows: 'Oil pressure low' },
    { name: 'device-alarms', path: `${device}?tab=alarms`, shows: 'Alarms on its Variables' },
    { name: 'device-unmatched', path: `${device}?tab=unmatched`, shows: 'engine.coolant.temp' },
    { name: 'device-health', path: `${device}?tab=health`, shows: 'Accepted readings' },
    { name: 'device-publish', path: `${device}?tab=publish`, shows: 'Over MQTT' },
    { name: 'device-details', path: `${device}?tab=details`, shows: 'Child Devices' },
    { name: 'device-radio', path: `/devices/${fleet.sensorId}?tab=radio`, shows: 'Usual interval' },
    { name: 'variables', path: '/variables', shows: 'Engine speed' },
    {
      name: 'variables-chart',
      path: `/variables?ids=${encodeURIComponent(JSON.stringify([fleet.variableId]))}`,
      shows: 'At most 8 Variables at once',
    },
    { name: 'variable', path: `/variables/${fleet.variableId}`, shows: 'Classification' },
    { name: 'assets', path: '/assets', shows: 'Radiator fan' },
    { name: 'asset', path: `/assets/${fleet.assetId}`, shows: 'Rated kW' },
    { name: 'locations', path: '/locations', shows: 'North plant' },
    { name: 'locations-tree', path: '/locations?view=tree', shows: 'Switch room' },
    { name: 'locations-map', path: '/locations?view=map', shows: 'North plant' },
    { name: 'location', path: `/locations/${fleet.locationId}`, shows: 'Oil pressure low' },
    { name: 'dashboards', path: '/dashboards', shows: 'Plant room' },
    { name: 'dashboard', path: `/dashboards/${fleet.dashboardId}`, shows: 'Call the plant room' },
    {
      name: 'dashboard-wall',
      path: `/dashboards/${fleet.dashboardId}?wall=true`,
      shows: 'Plant room',
    },
    {
      name: 'dashboard-edit',
      path: `/dashboards/${fleet.dashboardId}/edit`,
      shows: 'Select a widget',
    },
    { name: 'account', path: '/account', shows: 'This session' },
    { name: 'users', path: '/administration/users', shows: 'Administrator' },
    { name: 'api-keys', path: '/administration/api-keys', shows: 'First key' },
    { name: 'alarm-groups', path: '/administration/alarm-groups', shows: 'Operators' },
    {
      name: 'escalation-policies',
      path: '/administration/escalation-policies',
      shows: 'Night shift',
    },
    { name: 'pages', path: '/alarms/pages', shows: 'Send me a test page' },
    { name: 'maintenance', path: '/alarms/maintenance', shows: 'Weekly test run' },
    {
      name: 'maintenance-window',
      path: `/alarms/maintenance/${fleet.windowId}`,
      shows: 'Every Monday and Thursday',
    },
    { name: 'page', path: `/alarms/pages/${fleet.pageId}`, shows: 'Timeline' },
    { name: 'rotas', path: '/administration/rotas', shows: 'Night shift' },
    { name: 'heartbeats', path: '/administration/heartbeats', shows: 'Watchdog' },
    { name: 'webhooks', path: '/administration/webhooks', shows: 'On-call' },
    { name: 'phone-channels', path: '/administration/phone-channels', shows: 'Router' },
    { name: 'home-assistant', path: '/administration/home-assistant', shows: 'Control room' },
    { name: 'lorawan', path: '/administration/lorawan', shows: 'Roof network' },
    { name: 'codecs', path: '/administration/codecs', shows: 'Temperature probe' },
    { name: 'folders', path: '/administration/folders', shows: 'Engine' },
    { name: 'deliveries', path: '/administration/deliveries', shows: 'operators@example.com' },
    { name: 'audit-log', path: '/administration/audit-log', shows: 'Create a Device' },
    { name: 'nodes', path: '/administration/nodes', shows: 'This installation has one node' },
    { name: 'settings', path: '/administration/settings', shows: 'Organization id' },
    { name: 'not-found', path: '/devices/nothing/here', shows: 'Page not found' },
  ];
}

const EMPTY_FLEET: Fleet = {
  deviceId: '',
  sensorId: '',
  pageId: '',
  windowId: '',
  variableId: '',
  assetId: '',
  alarmId: '',
  eventId: '',
  locationId: '',
  dashboardId: '',
};

/** Known before the fleet exists, so that each page is a separate test. */
export const PAGE_NAMES = pagesOf(EMPTY_FLEET).map(({ name }) => name);

export function pageNamed(fleet: Fleet, name: string): ConsolePage {
  const page = pagesOf(fleet).find((each) => each.name === name);
  if (!page) throw new Error(`there is no page ${name}`);
  return page;
}
