import { type Entry, measured, state, worded } from './entry.ts';
import { CURRENTS, POWER } from './three-phase.ts';

const LINES = ['AB', 'BC', 'CA'] as const;

/** The voltages and the frequency of one of the two sources that the switch chooses from. */
function sourceMeasures(prefix: string, source: string): Entry[] {
  return [
    ...LINES.map((lines) =>
      measured(
        `${prefix}_VOLTAGE_${lines}`,
        `${source} voltage ${lines}`,
        'V',
        `Voltage between the lines ${lines[0]} and ${lines[1]} of the ${source.toLowerCase()} source.`,
      ),
    ),
    measured(
      `${prefix}_FREQUENCY`,
      `${source} frequency`,
      'Hz',
      `Frequency of the ${source.toLowerCase()} source.`,
    ),
  ];
}

/** What describes a transfer switch: where it stands, what it could switch to, what it carries. */
export const TRANSFER_SWITCH: readonly Entry[] = [
  state('NORMAL_POSITION', 'Normal position', 'True while the load is on the normal source.'),
  state(
    'EMERGENCY_POSITION',
    'Emergency position',
    'True while the load is on the emergency source.',
  ),
  state('NEUTRAL_POSITION', 'Neutral position', 'True while the load is on neither source.'),
  state('NORMAL_AVAILABLE', 'Normal available', 'True while the normal source can be used.'),
  state(
    'EMERGENCY_AVAILABLE',
    'Emergency available',
    'True while the emergency source can be used.',
  ),
  worded('POSITION', 'Position', 'Where the switch stands, in words.'),
  worded('STATUS', 'Status', 'What the controller is doing, in words.'),
  ...sourceMeasures('NORMAL', 'Normal'),
  ...sourceMeasures('EMERGENCY', 'Emergency'),
  ...POWER,
  ...CURRENTS,
  state('ENGINE_START', 'Engine start', 'True while the switch asks the generator to start.'),
  state('TRANSFERRING', 'Transferring', 'True while the switch is on its way.'),
  state('LOAD_ENERGIZED', 'Load energized', 'True while there is voltage on the load.'),
  state('IN_AUTO', 'In auto', 'True while the switch transfers by itself.'),
  state('NOT_IN_AUTO', 'Not in auto', 'True while the switch would not transfer by itself.'),
  state('TEST', 'Test', 'True while a test is under way.'),
  state('EXERCISING', 'Exercising', 'True while the generator is exercised by the switch.'),
  state('TRANSFER_INHIBITED', 'Transfer inhibited', 'True while a transfer is held back.'),
  state('BYPASSED', 'Bypassed', 'True while the load is fed past the switch.'),
  state('ISOLATED', 'Isolated', 'True while the switch is isolated for service.'),
  state('COMMON_ALARM', 'Common alarm', 'True while any alarm is present.'),
  state('FAILED_TO_TRANSFER', 'Failed to transfer', 'True after a transfer did not succeed.'),
  state('CONTROL_POWER_LOST', 'Control power lost', 'True while the controller has no supply.'),
  measured('TRANSFERS', 'Transfers', null, 'Transfers in all, a counter that only rises.'),
  measured(
    'HOURS_ON_NORMAL',
    'Hours on normal',
    'h',
    'Hours on the normal source, a counter that only rises.',
  ),
  measured(
    'HOURS_ON_EMERGENCY',
    'Hours on emergency',
    'h',
    'Hours on the emergency source, a counter that only rises.',
  ),
];
