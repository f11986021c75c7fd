// What the systems store: Devices with Variables, and their reports in the order of arrival.
import { createFleet } from '../../simulator/dist/index.js';
import { believable, noise, START, STEPS_PER_DAY, timeOf } from '../stored-history.mjs';

const DAY_MS = 86_400_000;
/** VictoriaMetrics rejects times in the future, so all readings are a year old. */
const AGE_MS = 365 * DAY_MS;
/** The first reading of every set. */
export const FIRST_TIME = START - AGE_MS;

const METERS = 8;
const METER = 'Meter cabinet';
const meterPath = (index) => `meter${index + 1}.value`;

/** Load curves, voltages and counters every ten seconds, in the order of time. */
const meters = {
  name: 'meters',
  summary: `${METERS} numbers every 10 s`,
  devices: [
    {
      name: METER,
      variables: Array.from({ length: METERS }, (_, index) => ({
        path: meterPath(index),
        name: `Meter ${index + 1}`,
        type: 'NUMBER',
      })),
    },
  ],
  alarms: [
    {
      name: 'Meter 2 high',
      variable: { device: METER, path: meterPath(1) },
      ...{ operator: 'GREATER_THAN', threshold: 10_000, severity: 'LOW', delaySeconds: 0 },
    },
  ],
  *reports(fromDay, toDay) {
    const [device] = this.devices;
    for (let step = fromDay * STEPS_PER_DAY; step < toDay * STEPS_PER_DAY; step += 1) {
      const values = {};
      for (let meter = 0; meter < METERS; meter += 1) {
        values[meterPath(meter)] = believable(meter, step);
      }
      yield { device, at: timeOf(step) - AGE_MS, values };
    }
  },
  charted: Array.from({ length: METERS }, (_, index) => ({
    device: METER,
    path: meterPath(index),
  })),
  raw: { numbers: { device: METER, path: meterPath(1) } },
};

/** One report in so many arrives late. */
const LATE_ONE_IN = 50;
/** As many reports as a site makes in a day: none is later than that. */
const MAX_REPORTS_LATE = 28_800;

/** Holds some reports back, as a gateway does that has lost its connection for a while. */
function* someLate(reports) {
  const held = new Map();
  let index = 0;
  for (const report of reports) {
    const due = held.get(index);
    if (due) yield* due;
    held.delete(index);
    const random = (noise(7, index) + 1) / 2;
    if (random * LATE_ONE_IN < 1) {
      const at = index + 1 + Math.floor(random * LATE_ONE_IN * MAX_REPORTS_LATE);
      held.set(at, [...(held.get(at) ?? []), report]);
    } else {
      yield report;
    }
    index += 1;
  }
  for (const late of held.values()) yield* late;
}

const fleet = createFleet({ sites: 1, seed: 1 });
const nameOf = (label) => fleet.devices.find(({ name }) => name.endsWith(`: ${label}`)).name;
const [GENERATOR, SWITCH, BOARD] = ['Generator', 'Transfer switch', 'Switchboard'].map(nameOf);

/** The simulator's site: numbers of every kind, switches and states, with gaps and late readings. */
const site = {
  name: 'site',
  summary: `${fleet.devices.length} Devices of the simulator, ${fleet.devices.flatMap(({ variables }) => variables).length} Variables; one report in ${LATE_ONE_IN} is up to a day late`,
  devices: fleet.devices,
  alarms: fleet.alarms,
  reports: (fromDay, toDay) =>
    someLate(fleet.readingsBetween(FIRST_TIME + fromDay * DAY_MS, FIRST_TIME + toDay * DAY_MS)),
  charted: [
    { device: BOARD, path: 'feeder1.kw' },
    { device: BOARD, path: 'feeder2.amps' },
    { device: BOARD, path: 'feeder3.kwh' },
    { device: BOARD, path: 'total.kw' },
    { device: SWITCH, path: 'utility.volts' },
    { device: SWITCH, path: 'utility.hertz' },
    { device: GENERATOR, path: 'fuel.level' },
    { device: GENERATOR, path: 'battery.volts' },
  ],
  raw: {
    numbers: { device: BOARD, path: 'feeder1.kw' },
    booleans: { device: GENERATOR, path: 'engine.running' },
    texts: { device: GENERATOR, path: 'engine.state' },
  },
};

export const DATA_SETS = { meters, site };

/** Every Variable of a set by its index, which is its name in the peers. */
export function variablesOf({ devices }) {
  return devices.flatMap((device) =>
    device.variables.map(({ path, type }) => ({ device: device.name, path, type })),
  );
}
