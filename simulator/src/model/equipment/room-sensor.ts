import { chance, drift, jitter, rounded, seedFor } from '../random.ts';
import { numeric, onOff } from '../spec.ts';
import { DAY, EPOCH, HOUR, MINUTE } from '../time.ts';
import { deviceName, type Equipment, type Plant } from './equipment.ts';

const LABEL = 'Room sensor';
const SLOT = 8 * HOUR;

const VARIABLES = [
  numeric('room.temperature', 'Room temperature', '°C'),
  numeric('room.humidity', 'Room humidity', '%'),
  onOff('room.door', 'Door open'),
  numeric('sensor.battery', 'Sensor battery', '%'),
];

/** A battery-powered radio sensor, which is offline from time to time. */
export function createRoomSensor({ site, timeline }: Plant): Equipment {
  const device = deviceName(site, LABEL);
  const seed = seedFor(site.seed, LABEL);
  return {
    label: LABEL,
    variables: VARIABLES,
    everyIntervals: 6,
    reportsChanges: false,
    assets: [],
    alarms: [
      {
        name: `${site.name}: Generator room hot`,
        variable: { device, path: 'room.temperature' },
        operator: 'GREATER_THAN',
        threshold: 35,
        severity: 'MEDIUM',
        isAcknowledgeable: true,
        delaySeconds: 300,
      },
    ],
    valuesAt(at) {
      if (isSilent(seed, at)) return null;
      const local = at - EPOCH + site.utcOffsetMs;
      const ofDay = (local % DAY) / DAY;
      const season = Math.cos(((local / DAY - 200) / 365) * 2 * Math.PI);
      const { cycle } = timeline.stateAt(at);
      const ranMs = cycle === null ? 0 : Math.min(at, cycle.stopsAt) - cycle.runsAt;
      const coolMs = cycle === null ? 0 : Math.max(0, at - cycle.stopsAt);
      const heat = 13 * (1 - Math.exp(-Math.max(0, ranMs) / (20 * MINUTE)));
      const day = 3 * Math.sin((ofDay - 0.3) * 2 * Math.PI);
      const warm =
        16 + 7 * season + day + heat * Math.exp(-coolMs / (30 * MINUTE)) + drift(seed, at, HOUR);
      const humidity = 52 - day * 2 + 6 * drift(seed + 1, at, 3 * HOUR) + jitter(seed + 2, at) / 4;
      return {
        'room.temperature': rounded(warm, 1),
        'room.humidity': rounded(humidity, 1),
        'room.door': chance(seed + 3, Math.floor(at / (10 * MINUTE))) < 0.01,
        'sensor.battery': 100 - Math.floor(((at - EPOCH) % (400 * DAY)) / (5 * DAY)),
      };
    },
  };
}

/** Offline for 15 minutes to three hours, in one of twelve periods of eight hours. */
function isSilent(seed: number, at: number): boolean {
  const slot = Math.floor(at / SLOT);
  if (chance(seed + 10, slot) >= 1 / 12) return false;
  const from = slot * SLOT + chance(seed + 11, slot) * (SLOT - 3 * HOUR);
  const length = 15 * MINUTE + chance(seed + 12, slot) * (2.75 * HOUR);
  return at >= from && at < from + length;
}
