import type { Outage } from '../cycles.ts';
import { chance, drift, jitter, rounded, seedFor } from '../random.ts';
import { numeric, onOff, worded } from '../spec.ts';
import { HOUR, MINUTE, WEEK } from '../time.ts';
import type { PowerState } from '../timeline.ts';
import { deviceName, type Equipment, type Plant, type Values } from './equipment.ts';
import { loadKw } from './load.ts';

const LABEL = 'Generator';
const KIND = 'ELECTRICAL_GENERATOR_';
const VOLTS = 400;
const RPM = 1_500;
const HEATED = 38;
const WORKING = 84;
const SERVICE_HOURS = 250;

const VARIABLES = [
  numeric('engine.rpm', 'Engine speed', 'rpm', `${KIND}RPM`),
  numeric('engine.oilPressure', 'Oil pressure', 'kPa', `${KIND}OIL_PRESSURE`),
  numeric('engine.coolantTemperature', 'Coolant temperature', '°C', `${KIND}COOLANT_TEMPERATURE`),
  worded('engine.state', 'Engine state', `${KIND}ENGINE_STATE`),
  onOff('engine.running', 'Running', `${KIND}RUNNING`),
  onOff('engine.test', 'In test', `${KIND}IN_TEST`),
  numeric('output.kw', 'Real power', 'kW', `${KIND}KW`),
  numeric('output.volts', 'Voltage, line to line', 'V', `${KIND}VOLTAGE_LL_AVERAGE`),
  numeric('output.amps', 'Current', 'A', `${KIND}CURRENT_AVERAGE`),
  numeric('output.hertz', 'Frequency', 'Hz', `${KIND}FREQUENCY`),
  numeric('fuel.level', 'Fuel level', '%', `${KIND}FUEL_LEVEL`),
  numeric('battery.volts', 'Battery voltage', 'V', `${KIND}BATTERY_VOLTAGE`),
  onOff('battery.chargerFailure', 'Charger failure', `${KIND}CHARGER_FAILURE`),
  numeric('counters.runningHours', 'Running hours', 'h', `${KIND}RUNNING_HOURS`),
  numeric('counters.starts', 'Starts', null, `${KIND}STARTS`),
  numeric('counters.hoursToService', 'Hours to service', 'h', `${KIND}HOURS_TO_SERVICE`),
];

export function createGenerator(plant: Plant): Equipment {
  const { site, timeline } = plant;
  const device = deviceName(site, LABEL);
  const key = (path: string) => ({ device, path });
  const seed = seedFor(site.seed, LABEL);
  const { make, model, ratedKw } = site.generator;
  return {
    label: LABEL,
    variables: VARIABLES,
    everyIntervals: 1,
    reportsChanges: true,
    assets: [
      {
        name: device,
        site: site.name,
        classificationType: 'ELECTRICAL_GENERATOR',
        details: { make, model, ratedKw, ratedVolts: VOLTS, ratedHz: 50, fuelType: 'Diesel' },
        parent: site.name,
        variables: VARIABLES.map(({ path }) => key(path)),
        runningHours: key('counters.runningHours'),
      },
    ],
    alarms: [
      alarm('runs', 'INFO', key('engine.running'), 'EQUAL', true, 0),
      alarm('fuel below 60 %', 'LOW', key('fuel.level'), 'LESS_THAN', 60, 60),
      alarm('battery voltage low', 'MEDIUM', key('battery.volts'), 'LESS_THAN', 25, 300),
      alarm('coolant too hot', 'HIGH', key('engine.coolantTemperature'), 'GREATER_THAN', 98, 30),
      alarm('fuel below 20 %', 'CRITICAL', key('fuel.level'), 'LESS_THAN', 20, 0),
    ],
    valuesAt(at) {
      const state = timeline.stateAt(at);
      const runMs = runningMs(state, at);
      const hours = 412 + (Math.abs(site.seed) % 900) + runMs / HOUR;
      return {
        ...engineValues(seed, state, at),
        ...outputValues(plant, seed, state, at),
        'fuel.level': rounded(timeline.fuelAt(at) * 100, 1),
        ...batteryValues(plant, seed, state, at),
        'counters.runningHours': rounded(hours, 2),
        'counters.starts': 90 + state.before.starts + (runMs > state.before.runMs ? 1 : 0),
        'counters.hoursToService': rounded(SERVICE_HOURS - (hours % SERVICE_HOURS), 1),
      };
    },
  };
  function alarm(
    what: string,
    severity: Equipment['alarms'][number]['severity'],
    variable: { readonly device: string; readonly path: string },
    operator: 'LESS_THAN' | 'GREATER_THAN' | 'EQUAL',
    threshold: number | boolean,
    delaySeconds: number,
  ) {
    const isAcknowledgeable = severity !== 'INFO';
    const name = `${device} ${what}`;
    return { name, variable, operator, threshold, severity, isAcknowledgeable, delaySeconds };
  }
}

function runningMs({ cycle, before }: PowerState, at: number): number {
  if (cycle === null) return before.runMs;
  return before.runMs + Math.max(0, Math.min(at, cycle.stopsAt) - cycle.runsAt);
}

function engineValues(seed: number, state: PowerState, at: number): Values {
  const isRunning = state.engine === 'Running' || state.engine === 'Cooling down';
  const isCranking = state.engine === 'Cranking';
  const coolant = coolantAt(state, at) + (isRunning ? drift(seed + 1, at, 3 * MINUTE) : 0);
  const oil = isRunning ? 460 - coolant + 4 * jitter(seed + 2, at) : isCranking ? 90 : 0;
  return {
    'engine.rpm': isRunning ? RPM + Math.round(4 * jitter(seed, at)) : isCranking ? 180 : 0,
    'engine.oilPressure': Math.round(oil),
    'engine.coolantTemperature': rounded(coolant, 1),
    'engine.state': state.engine,
    'engine.running': isRunning,
    'engine.test': state.isExercise,
  };
}

/** A heater keeps the engine warm; it heats up within minutes and cools down within an hour. */
function coolantAt({ cycle }: PowerState, at: number): number {
  if (cycle === null || at < cycle.runsAt) return HEATED;
  const ranMs = Math.min(at, cycle.stopsAt) - cycle.runsAt;
  const warm = HEATED + (WORKING - HEATED) * (1 - Math.exp(-ranMs / (6 * MINUTE)));
  const stoppedMs = Math.max(0, at - cycle.stopsAt);
  return HEATED + (warm - HEATED) * Math.exp(-stoppedMs / (40 * MINUTE));
}

function outputValues(plant: Plant, seed: number, state: PowerState, at: number): Values {
  const isRunning = state.engine === 'Running' || state.engine === 'Cooling down';
  if (!isRunning) {
    return { 'output.kw': 0, 'output.volts': 0, 'output.amps': 0, 'output.hertz': 0 };
  }
  const kw = state.position === 'Emergency' ? loadKw(plant, state, at) : 0;
  const volts = rounded(VOLTS + 1.5 * jitter(seed + 3, at) - kw / 200, 1);
  return {
    'output.kw': kw,
    'output.volts': volts,
    'output.amps': rounded((kw * 1_000) / (Math.sqrt(3) * volts * 0.9), 1),
    'output.hertz': rounded(50 + 0.05 * jitter(seed + 4, at) - kw / 2_000, 2),
  };
}

/** The charger of one in twenty weeks fails for half a day. */
function chargerFailureAt({ chargerFailures }: Plant, seed: number, at: number): Outage | null {
  const covers = ({ from, to }: Outage) => at >= from && at < to;
  const week = Math.floor(at / WEEK);
  const from = week * WEEK + chance(seed + 5, week) * (WEEK / 2);
  const byChance = { from, to: from + 12 * HOUR };
  if (chance(seed + 6, week) < 0.05 && covers(byChance)) return byChance;
  return chargerFailures.find(covers) ?? null;
}

/** Without its charger the battery discharges slowly. */
function batteryValues(plant: Plant, seed: number, state: PowerState, at: number): Values {
  const failure = chargerFailureAt(plant, seed, at);
  const sunk = failure ? 3.4 * (1 - Math.exp(-(at - failure.from) / (3 * HOUR))) : 0;
  const cranking = state.engine === 'Cranking' ? 5.5 : 0;
  const volts = 27.3 - sunk - cranking + 0.05 * drift(seed + 7, at, 30 * MINUTE);
  return { 'battery.volts': rounded(volts, 2), 'battery.chargerFailure': failure !== null };
}
