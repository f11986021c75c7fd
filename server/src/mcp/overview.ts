import type { Site, SiteChange } from '@fieldwatch/contract';
import Type from 'typebox';
import { closed } from './inputs.ts';
import { type Tool, tool } from './tool.ts';

const MAX_SITES = 100;

function shownSite({ id, name, worstAlarm, variables: _, silentDevice, ...site }: Site) {
  return {
    locationId: id,
    name: name ?? 'Without a Location',
    ...site,
    silentDevice: silentDevice?.name ?? null,
    worstAlarm: worstAlarm && {
      eventId: worstAlarm.eventId,
      alarm: worstAlarm.alarmName,
      severity: worstAlarm.severity,
      device: worstAlarm.deviceName,
      raisedTime: worstAlarm.raisedDateTime,
    },
  };
}

function shownChange({ kind, changedDateTime, siteName, event, device, deviceCount }: SiteChange) {
  return {
    kind,
    time: changedDateTime,
    site: siteName,
    ...(event
      ? { eventId: event.id, alarm: event.alarmName, severity: event.severity }
      : { device: device?.name ?? null, deviceCount }),
  };
}

export const getOverview: Tool = tool({
  name: 'get_overview',
  title: 'Get overview',
  description:
    'Get the state of all sites, the worst first: a site is a Location without a parent, with all below it. Each has its numbers of Devices, silent Devices and open alarms, and its most severe open alarm. Also totals, changes of the last hour, the Devices that went offline last, and problems of the server itself. A good first question about the whole organization.',
  input: Type.Object({}, closed),
  async run({ client, organizationId }) {
    const [{ items, totals, changes }, { warnings = [], offlineDevices }] = await Promise.all([
      client.listSites({ organizationId, query: { take: MAX_SITES } }),
      client.retrieveOverview({ organizationId }),
    ]);
    return {
      facts: { totals },
      lists: {
        warnings,
        sites: items.map(shownSite),
        changesOfLastHour: changes.map(shownChange),
        offlineDevices: offlineDevices.map(({ id, name, lastSeenDateTime }) => ({
          deviceId: id,
          name,
          lastSeenTime: lastSeenDateTime,
        })),
      },
      advice: 'Use list_open_alarms with a site, or find to look for single Devices.',
    };
  },
});
