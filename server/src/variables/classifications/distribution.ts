import { type Entry, measured, state } from './entry.ts';
import { CURRENTS, ENERGY, POWER, QUALITY, VOLTAGES } from './three-phase.ts';

const BREAKER: readonly Entry[] = [
  state('BREAKER_CLOSED', 'Breaker closed', 'True while the breaker is closed.'),
  state('BREAKER_OPEN', 'Breaker open', 'True while the breaker is open.'),
  state('BREAKER_TRIPPED', 'Breaker tripped', 'True after a fault opened the breaker.'),
  state('BREAKER_RACKED_IN', 'Breaker racked in', 'True while the breaker is in its place.'),
  measured('BREAKER_OPERATIONS', 'Breaker operations', null, 'How often the breaker has moved.'),
];

const FAULTS: readonly Entry[] = [
  state('COMMON_ALARM', 'Common alarm', 'True while any alarm is present.'),
  state('OVERCURRENT', 'Overcurrent', 'True while a phase current is too high.'),
  state('GROUND_FAULT', 'Ground fault', 'True while current leaks to ground.'),
];

/** What describes the feed of a utility: whether it is there, how good it is, what it brought. */
export const UTILITY: readonly Entry[] = [
  ...POWER,
  ...VOLTAGES,
  ...CURRENTS,
  ...ENERGY,
  measured('KWH_EXPORTED', 'Real energy exported', 'kWh', 'Energy given back to the utility.'),
  ...QUALITY,
  state('AVAILABLE', 'Available', 'True while the feed is good enough to be used.'),
  state('OUTAGE', 'Outage', 'True while the feed is dead.'),
  state('SUPPLYING_LOAD', 'Supplying load', 'True while the feed carries load.'),
  ...BREAKER,
  ...FAULTS,
  state('OVERVOLTAGE', 'Overvoltage', 'True while the voltage is too high.'),
  state('UNDERVOLTAGE', 'Undervoltage', 'True while the voltage is too low.'),
  state('OVERFREQUENCY', 'Overfrequency', 'True while the frequency is too high.'),
  state('UNDERFREQUENCY', 'Underfrequency', 'True while the frequency is too low.'),
  state('PHASE_LOSS', 'Phase loss', 'True while a phase is missing.'),
  state('PHASE_ROTATION_FAULT', 'Phase rotation fault', 'True while the phases turn backwards.'),
];

/** What describes a feeder: the load on it and its breaker. */
export const FEEDER: readonly Entry[] = [
  ...POWER,
  ...VOLTAGES,
  ...CURRENTS,
  ...ENERGY,
  ...QUALITY,
  measured('LOAD_PERCENT', 'Load', '%', 'Current, of what the feeder is rated for.'),
  state('ENERGIZED', 'Energized', 'True while there is voltage on the feeder.'),
  ...BREAKER,
  ...FAULTS,
  state('LOAD_SHED', 'Load shed', 'True while the feeder is shed to spare the source.'),
  state('SHED_REQUESTED', 'Shed requested', 'True while shedding of the feeder is asked for.'),
];
