import type { Outage } from './cycles.ts';
import { deviceName, type Equipment, equip } from './equipment/index.ts';
import { inOrder } from './in-order.ts';
import { createLoadCurve } from './load-curve.ts';
import { chance, seedFor } from './random.ts';
import { createSite, type Site } from './site.ts';
import type { AlarmSpec, AssetSpec, DeviceSpec, Report } from './spec.ts';
import { SECOND } from './time.ts';
import { Timeline } from './timeline.ts';

export interface FleetOptions {
  readonly sites: number;
  readonly seed: number;
  /** The time between two reports of most Devices; at least one second. */
  readonly intervalMs?: number;
  /** Outages of the first site besides the random ones, in time order. */
  readonly outages?: readonly Outage[];
  /** When the battery charger of the second site fails, or of the only site. */
  readonly chargerFailures?: readonly Outage[];
}

export interface Fleet {
  readonly sites: readonly Site[];
  /** A gateway comes before the Devices it reports for. */
  readonly devices: readonly DeviceSpec[];
  /** A parent comes before its children. */
  readonly assets: readonly AssetSpec[];
  readonly alarms: readonly AlarmSpec[];
  /** The reports in [from, to), in time order. They depend only on the seed and the range. */
  readingsBetween(from: number, to: number): Generator<Report>;
}

/** A Device with its reports. */
interface Member {
  readonly device: DeviceSpec;
  readonly equipment: Equipment;
  readonly timeline: Timeline;
  readonly seed: number;
}

const DEFAULT_INTERVAL = 10 * SECOND;
/** One poll in this number is late, by less than a second. */
const LATE_ONE_IN = 50;
const LATEST = 900;

export function createFleet(options: FleetOptions): Fleet {
  const { sites: count, seed, outages = [], chargerFailures = [] } = options;
  const interval = options.intervalMs ?? DEFAULT_INTERVAL;
  if (interval < SECOND) throw new RangeError('intervalMs must be 1000 or more');
  const sites = Array.from({ length: count }, (_, index) => createSite(index, seed));
  const crews = sites.map((site, index) =>
    membersOf(site, {
      outages: index === 0 ? outages : [],
      chargerFailures: index === Math.min(1, count - 1) ? chargerFailures : [],
    }),
  );
  const members = crews.flat();
  return {
    sites,
    devices: members.map(({ device }) => device),
    assets: sites.flatMap((site, index) => [
      siteAsset(site),
      ...(crews[index] ?? []).flatMap(({ equipment }) => equipment.assets),
    ]),
    alarms: members.flatMap(({ equipment }) => equipment.alarms),
    readingsBetween: (from, to) =>
      inOrder(members.map((member) => reportsOf(member, interval, from, to))),
  };
}

/** The requested faults of a site. */
interface Asked {
  readonly outages: readonly Outage[];
  readonly chargerFailures: readonly Outage[];
}

function membersOf(site: Site, { outages, chargerFailures }: Asked): Member[] {
  const curves = site.feeders.map((feeder) => createLoadCurve(site, feeder));
  const timeline = new Timeline(site, curves, outages);
  const [gateway, ...others] = equip({ site, timeline, curves, chargerFailures });
  const gatewayName = deviceName(site, gateway.label);
  return [gateway, ...others].map((equipment) => ({
    device: {
      name: deviceName(site, equipment.label),
      site: site.name,
      type: equipment === gateway ? 'CONTROLCOM_GATEWAY' : 'CUSTOM_DEVICE',
      gateway: equipment === gateway ? null : gatewayName,
      variables: equipment.variables,
    },
    equipment,
    timeline,
    seed: seedFor(site.seed, `polls of ${equipment.label}`),
  }));
}

/** The Asset of a site, the parent of the Assets of its equipment. */
function siteAsset(site: Site): AssetSpec {
  return {
    name: site.name,
    site: site.name,
    classificationType: 'GENERIC',
    details: null,
    parent: null,
    variables: [{ device: deviceName(site, 'Switchboard'), path: 'total.kw' }],
    runningHours: null,
  };
}

function* reportsOf(member: Member, interval: number, from: number, to: number): Generator<Report> {
  const { device, equipment, timeline } = member;
  for (const at of moments(member, interval, from, to)) {
    const values = equipment.valuesAt(at);
    if (values) yield { device, at, values };
  }
  function* moments(of: Member, everyMs: number, begin: number, end: number): Generator<number> {
    const changes = equipment.reportsChanges ? timeline.changesBetween(begin, end) : [];
    let next = 0;
    for (const at of polls(of, everyMs * equipment.everyIntervals, begin, end)) {
      for (; (changes[next] ?? Infinity) < at; next += 1) yield changes[next] as number;
      if (changes[next] === at) next += 1;
      yield at;
    }
    for (; next < changes.length; next += 1) yield changes[next] as number;
  }
}

function* polls({ seed }: Member, step: number, from: number, to: number): Generator<number> {
  const phase = Math.floor(chance(seed, 0) * step);
  let turn = Math.floor((from - phase) / step) - 1;
  for (; ; turn += 1) {
    const isLate = chance(seed + 1, turn) < 1 / LATE_ONE_IN;
    const at = turn * step + phase + (isLate ? Math.floor(chance(seed + 2, turn) * LATEST) : 0);
    if (at >= to) return;
    if (at >= from) yield at;
  }
}
