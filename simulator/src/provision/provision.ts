import type { Fleet } from '../model/index.ts';
import { provideAlarms } from './alarms.ts';
import { provideAssets } from './assets.ts';
import { provideDashboards } from './dashboards.ts';
import { type Members, provideDevices } from './devices.ts';
import { provideLocations } from './locations.ts';
import type { Target } from './own.ts';

export interface Provisioning extends Target {
  /** Only users can write Dashboards. */
  readonly isUser: boolean;
  readonly say: (line: string) => void;
}

/** The records of the fleet. */
export interface Provisioned extends Members {
  /** The ids of the Assets by name. */
  readonly assets: ReadonlyMap<string, string>;
}

const SAY_EVERY_DEVICES = 50;

/** Creates the records of the fleet that are missing. Those of an earlier run are used again. */
export async function provision(to: Provisioning, fleet: Fleet): Promise<Provisioned> {
  const { say } = to;
  const locations = await provideLocations(to, fleet);
  const total = fleet.devices.length;
  const members = await provideDevices(to, fleet, locations, (done) => {
    if (done % SAY_EVERY_DEVICES === 0 && done < total) say(`  ${done} of ${total} Devices`);
  });
  const assets = await provideAssets(to, fleet, members, locations);
  const alarms = await provideAlarms(to, fleet, members);
  const dashboards = to.isUser ? await provideDashboards(to, fleet, members) : 0;
  const found = total - members.created;
  say(`Devices: ${members.created} made, ${found} found. Alarms: ${alarms} made.`);
  if (dashboards > 0) say(`Dashboards: ${dashboards} made and published.`);
  return { ...members, assets };
}
