import { drift, jitter, rounded, seedFor } from '../random.ts';
import { numeric, onOff, worded } from '../spec.ts';
import { HOUR, MINUTE } from '../time.ts';
import type { PowerState } from '../timeline.ts';
import { deviceName, type Equipment, type Plant, type Values } from './equipment.ts';
import { loadKw } from './load.ts';

const LABEL = 'Transfer switch';
const ATS = 'ELECTRICAL_ATS_';
const UTILITY = 'ELECTRICAL_UTILITY_';

const SWITCH = [
  worded('switch.position', 'Position', `${ATS}POSITION`),
  onOff('switch.normal', 'Normal position', `${ATS}NORMAL_POSITION`),
  onOff('switch.emergency', 'Emergency position', `${ATS}EMERGENCY_POSITION`),
  onOff('switch.engineStart', 'Engine start', `${ATS}ENGINE_START`),
  numeric('switch.kw', 'Real power', 'kW', `${ATS}KW`),
  numeric('switch.transfers', 'Transfers', null, `${ATS}TRANSFERS`),
  numeric('switch.hoursOnEmergency', 'Hours on emergency', 'h', `${ATS}HOURS_ON_EMERGENCY`),
];

const FEED = [
  onOff('utility.available', 'Utility available', `${UTILITY}AVAILABLE`),
  numeric('utility.volts', 'Utility voltage', 'V', `${UTILITY}VOLTAGE_LL_AVERAGE`),
  numeric('utility.hertz', 'Utility frequency', 'Hz', `${UTILITY}FREQUENCY`),
  numeric('utility.kw', 'Utility power', 'kW', `${UTILITY}KW`),
];

export function createTransferSwitch(plant: Plant): Equipment {
  const { site } = plant;
  const device = deviceName(site, LABEL);
  const key = (path: string) => ({ device, path });
  const seed = seedFor(site.seed, LABEL);
  const asset = { site: site.name, details: null, parent: site.name, runningHours: null };
  const alarm = { operator: 'EQUAL', isAcknowledgeable: true, delaySeconds: 0 } as const;
  return {
    label: LABEL,
    variables: [...SWITCH, ...FEED],
    everyIntervals: 1,
    reportsChanges: true,
    assets: [
      {
        ...asset,
        name: device,
        classificationType: 'ELECTRICAL_ATS',
        variables: SWITCH.map(({ path }) => key(path)),
      },
      {
        ...asset,
        name: deviceName(site, 'Utility'),
        classificationType: 'ELECTRICAL_UTILITY',
        variables: FEED.map(({ path }) => key(path)),
      },
    ],
    alarms: [
      {
        ...alarm,
        name: `${site.name}: Utility lost`,
        variable: key('utility.available'),
        threshold: false,
        severity: 'CRITICAL',
      },
      {
        ...alarm,
        name: `${site.name}: Load on the generator`,
        variable: key('switch.emergency'),
        threshold: true,
        severity: 'HIGH',
      },
    ],
    valuesAt: (at) => valuesOf(plant, seed, at),
  };
}

function valuesOf(plant: Plant, seed: number, at: number): Values {
  const state = plant.timeline.stateAt(at);
  const { isUtilityPresent, position, cycle } = state;
  const kw = loadKw(plant, state, at);
  const wave = 4 * drift(seed, at, 70 * MINUTE) + 0.8 * jitter(seed + 1, at);
  const hertz = 50 + 0.03 * drift(seed + 2, at, 2 * MINUTE) + 0.008 * jitter(seed + 3, at);
  return {
    'switch.position': position,
    'switch.normal': position === 'Normal',
    'switch.emergency': position === 'Emergency',
    'switch.engineStart': cycle !== null && at >= cycle.cranksAt && at < cycle.offLoadAt,
    'switch.kw': kw,
    'switch.transfers': transfers(state, at),
    'switch.hoursOnEmergency': rounded(onEmergencyMs(state, at) / HOUR, 2),
    'utility.available': isUtilityPresent,
    'utility.volts': isUtilityPresent ? rounded(401 + wave - kw / 150, 1) : 0,
    'utility.hertz': isUtilityPresent ? rounded(hertz, 2) : 0,
    'utility.kw': position === 'Normal' ? kw : 0,
  };
}

function transfers({ cycle, before }: PowerState, at: number): number {
  if (cycle === null || cycle.isExercise) return before.transfers;
  return before.transfers + (at >= cycle.onLoadAt ? 1 : 0) + (at >= cycle.offLoadAt ? 1 : 0);
}

function onEmergencyMs({ cycle, before }: PowerState, at: number): number {
  if (cycle === null) return before.onLoadMs;
  return before.onLoadMs + Math.max(0, Math.min(at, cycle.offLoadAt) - cycle.onLoadAt);
}
