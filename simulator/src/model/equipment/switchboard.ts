import { rounded } from '../random.ts';
import { numeric, onOff } from '../spec.ts';
import { deviceName, type Equipment, type Plant, type Values } from './equipment.ts';
import { feederKw, loadKw } from './load.ts';

const LABEL = 'Switchboard';
const KIND = 'ELECTRICAL_FEEDER_';

const variablesOf = (index: number, name: string) => [
  numeric(`feeder${index}.kw`, `${name} power`, 'kW', `${KIND}KW`),
  numeric(`feeder${index}.amps`, `${name} current`, 'A', `${KIND}CURRENT_AVERAGE`),
  numeric(`feeder${index}.kwh`, `${name} energy`, 'kWh', `${KIND}KWH`),
  onOff(`feeder${index}.energized`, `${name} energized`, `${KIND}ENERGIZED`),
];

export function createSwitchboard(plant: Plant): Equipment {
  const { site, timeline, curves } = plant;
  const device = deviceName(site, LABEL);
  const total = numeric('total.kw', 'Total power', 'kW');
  const peakKw = site.feeders.reduce((sum, feeder) => sum + feeder.peakKw, 0);
  return {
    label: LABEL,
    variables: [...site.feeders.flatMap(({ name }, index) => variablesOf(index + 1, name)), total],
    everyIntervals: 1,
    reportsChanges: true,
    assets: site.feeders.map(({ name }, index) => ({
      name: deviceName(site, name),
      site: site.name,
      classificationType: 'ELECTRICAL_FEEDER',
      details: null,
      parent: site.name,
      variables: variablesOf(index + 1, name).map(({ path }) => ({ device, path })),
      runningHours: null,
    })),
    alarms: [
      {
        name: `${site.name}: Load unusually high`,
        variable: { device, path: total.path },
        operator: 'GREATER_THAN',
        threshold: Math.round(peakKw * 0.98),
        severity: 'LOW',
        isAcknowledgeable: false,
        delaySeconds: 120,
      },
    ],
    valuesAt(at) {
      const state = timeline.stateAt(at);
      const values: Values = {};
      for (const [index, curve] of curves.entries()) {
        const kw = feederKw(plant, index, state, at);
        values[`feeder${index + 1}.kw`] = kw;
        values[`feeder${index + 1}.amps`] = rounded((kw * 1_000) / (Math.sqrt(3) * 400 * 0.92), 1);
        values[`feeder${index + 1}.kwh`] = curve.kwhAt(at);
        values[`feeder${index + 1}.energized`] = state.isLoadEnergized;
      }
      values[total.path] = loadKw(plant, state, at);
      return values;
    },
  };
}
