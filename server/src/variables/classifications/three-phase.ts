import { type Entry, measured } from './entry.ts';

const PHASES = ['A', 'B', 'C'] as const;
const LINES = ['AB', 'BC', 'CA'] as const;

/** What a power meter reports of any three-phase circuit. */
export const POWER: readonly Entry[] = [
  measured('KW', 'Real power', 'kW', 'Real power of all phases together.'),
  measured('KVA', 'Apparent power', 'kVA', 'Apparent power of all phases together.'),
  measured('KVAR', 'Reactive power', 'kVAR', 'Reactive power of all phases together.'),
  ...PHASES.map((phase) =>
    measured(`KW_${phase}`, `Real power, phase ${phase}`, 'kW', `Real power of phase ${phase}.`),
  ),
  ...PHASES.map((phase) =>
    measured(
      `KVA_${phase}`,
      `Apparent power, phase ${phase}`,
      'kVA',
      `Apparent power of phase ${phase}.`,
    ),
  ),
  ...PHASES.map((phase) =>
    measured(
      `KVAR_${phase}`,
      `Reactive power, phase ${phase}`,
      'kVAR',
      `Reactive power of phase ${phase}.`,
    ),
  ),
  measured('POWER_FACTOR', 'Power factor', null, 'Real by apparent power, from -1 to 1.'),
  ...PHASES.map((phase) =>
    measured(
      `POWER_FACTOR_${phase}`,
      `Power factor, phase ${phase}`,
      null,
      `Real by apparent power of phase ${phase}, from -1 to 1.`,
    ),
  ),
];

/** Frequency and the voltages between lines and to neutral. */
export const VOLTAGES: readonly Entry[] = [
  measured('FREQUENCY', 'Frequency', 'Hz', 'Frequency of the alternating voltage.'),
  measured('VOLTAGE_LL_AVERAGE', 'Voltage, line to line', 'V', 'Mean of the voltages AB, BC, CA.'),
  ...LINES.map((lines) =>
    measured(
      `VOLTAGE_${lines}`,
      `Voltage ${lines}`,
      'V',
      `Voltage between the lines ${lines[0]} and ${lines[1]}.`,
    ),
  ),
  measured('VOLTAGE_LN_AVERAGE', 'Voltage, line to neutral', 'V', 'Mean of the phase voltages.'),
  ...PHASES.map((phase) =>
    measured(
      `VOLTAGE_${phase}N`,
      `Voltage ${phase}N`,
      'V',
      `Voltage between the line ${phase} and neutral.`,
    ),
  ),
];

export const CURRENTS: readonly Entry[] = [
  measured('CURRENT_AVERAGE', 'Current', 'A', 'Mean of the currents of the three phases.'),
  ...PHASES.map((phase) =>
    measured(
      `CURRENT_${phase}`,
      `Current, phase ${phase}`,
      'A',
      `Current in the line of phase ${phase}.`,
    ),
  ),
  measured('CURRENT_NEUTRAL', 'Current, neutral', 'A', 'Current in the neutral conductor.'),
  measured('CURRENT_GROUND', 'Current, ground', 'A', 'Current to ground.'),
];

export const ENERGY: readonly Entry[] = [
  measured('KWH', 'Real energy', 'kWh', 'Real energy delivered, a counter that only rises.'),
  measured('KVAH', 'Apparent energy', 'kVAh', 'Apparent energy, a counter that only rises.'),
  measured('KVARH', 'Reactive energy', 'kVARh', 'Reactive energy, a counter that only rises.'),
];

export const QUALITY: readonly Entry[] = [
  measured('KW_DEMAND', 'Demand', 'kW', 'Mean real power of the present demand interval.'),
  measured('KW_PEAK_DEMAND', 'Peak demand', 'kW', 'Highest demand since the last reset.'),
  measured('VOLTAGE_THD', 'Voltage distortion', '%', 'Total harmonic distortion of the voltage.'),
  measured('CURRENT_THD', 'Current distortion', '%', 'Total harmonic distortion of the current.'),
  measured(
    'VOLTAGE_UNBALANCE',
    'Voltage unbalance',
    '%',
    'Largest deviation of a line voltage from their mean.',
  ),
  measured(
    'CURRENT_UNBALANCE',
    'Current unbalance',
    '%',
    'Largest deviation of a phase current from their mean.',
  ),
];
