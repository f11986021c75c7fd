import { type Entry, measured, state, worded } from './entry.ts';
import { CURRENTS, ENERGY, POWER, VOLTAGES } from './three-phase.ts';

const ENGINE: readonly Entry[] = [
  measured('RPM', 'Engine speed', 'rpm', 'Revolutions of the engine in a minute.'),
  measured('OIL_PRESSURE', 'Oil pressure', 'kPa', 'Pressure of the lubricating oil.'),
  measured('OIL_TEMPERATURE', 'Oil temperature', '°C', 'Temperature of the lubricating oil.'),
  measured('COOLANT_TEMPERATURE', 'Coolant temperature', '°C', 'Temperature of the coolant.'),
  measured('COOLANT_LEVEL', 'Coolant level', '%', 'Coolant left, of a full system.'),
  measured('COOLANT_PRESSURE', 'Coolant pressure', 'kPa', 'Pressure of the coolant.'),
  measured('INTAKE_TEMPERATURE', 'Intake temperature', '°C', 'Temperature of the intake air.'),
  measured('EXHAUST_TEMPERATURE', 'Exhaust temperature', '°C', 'Temperature of the exhaust gas.'),
  measured('BOOST_PRESSURE', 'Boost pressure', 'kPa', 'Pressure behind the turbocharger.'),
  measured('AMBIENT_TEMPERATURE', 'Ambient temperature', '°C', 'Temperature around the machine.'),
  measured('ENGINE_LOAD', 'Engine load', '%', 'Load, of what the engine can give at this speed.'),
  measured('WINDING_TEMPERATURE', 'Winding temperature', '°C', 'Temperature of the windings.'),
];

const FUEL_AND_BATTERY: readonly Entry[] = [
  measured('FUEL_LEVEL', 'Fuel level', '%', 'Fuel left, of a full tank.'),
  measured('FUEL_VOLUME', 'Fuel volume', 'L', 'Fuel left in the tank.'),
  measured('FUEL_RATE', 'Fuel rate', 'L/h', 'Fuel that is being used.'),
  measured('FUEL_PRESSURE', 'Fuel pressure', 'kPa', 'Pressure of the fuel supply.'),
  measured('FUEL_TEMPERATURE', 'Fuel temperature', '°C', 'Temperature of the fuel.'),
  measured('FUEL_USED', 'Fuel used', 'L', 'Fuel used in all, a counter that only rises.'),
  measured('BATTERY_VOLTAGE', 'Battery voltage', 'V', 'Voltage of the starting battery.'),
  measured('BATTERY_CURRENT', 'Battery current', 'A', 'Charging current of the battery.'),
];

const COUNTERS: readonly Entry[] = [
  measured('RUNNING_HOURS', 'Running hours', 'h', 'Hours run, a counter that only rises.'),
  measured('STARTS', 'Starts', null, 'Successful starts, a counter that only rises.'),
  measured('FAILED_STARTS', 'Failed starts', null, 'Failed starts, a counter that only rises.'),
  measured('HOURS_TO_SERVICE', 'Hours to service', 'h', 'Running hours until service is due.'),
  measured('LOAD_PERCENT', 'Load', '%', 'Real power, of what the generator is rated for.'),
];

const STATES: readonly Entry[] = [
  state('RUNNING', 'Running', 'True while the engine runs.'),
  state('CRANKING', 'Cranking', 'True while the starter turns the engine.'),
  state('COOLING_DOWN', 'Cooling down', 'True while it runs without load before it stops.'),
  state('READY', 'Ready', 'True when it could start now.'),
  state('SUPPLYING_LOAD', 'Supplying load', 'True while it carries load.'),
  state('REMOTE_START', 'Remote start', 'True while a start is asked for from outside.'),
  state('IN_AUTO', 'In auto', 'True while it starts and stops by itself.'),
  state('IN_MANUAL', 'In manual', 'True while a person operates it.'),
  state('IN_OFF', 'In off', 'True while it is switched off and cannot start.'),
  state('IN_TEST', 'In test', 'True while it runs for exercise.'),
  state('NOT_IN_AUTO', 'Not in auto', 'True while it would not start by itself.'),
  state('EMERGENCY_STOP', 'Emergency stop', 'True while the emergency stop is pressed.'),
  state('BREAKER_CLOSED', 'Breaker closed', 'True while its breaker is closed.'),
  state('BREAKER_TRIPPED', 'Breaker tripped', 'True after a fault opened its breaker.'),
  state('SYNCHRONIZED', 'Synchronized', 'True while it runs in step with another source.'),
  worded('CONTROL_MODE', 'Control mode', 'The position of the control switch, in words.'),
  worded('ENGINE_STATE', 'Engine state', 'What the engine is doing, in words.'),
];

const ALARMS: readonly Entry[] = [
  state('COMMON_ALARM', 'Common alarm', 'True while any alarm is present.'),
  state('COMMON_WARNING', 'Common warning', 'True while any warning is present.'),
  state('COMMON_SHUTDOWN', 'Common shutdown', 'True after any fault stopped it.'),
  state('OVERCRANK', 'Overcrank', 'True after it failed to start.'),
  state('OVERSPEED', 'Overspeed', 'True after it ran too fast.'),
  state('UNDERSPEED', 'Underspeed', 'True after it ran too slowly.'),
  state('LOW_OIL_PRESSURE', 'Low oil pressure', 'True while the oil pressure is too low.'),
  state(
    'HIGH_COOLANT_TEMPERATURE',
    'High coolant temperature',
    'True while the coolant is too hot.',
  ),
  state(
    'LOW_COOLANT_TEMPERATURE',
    'Low coolant temperature',
    'True while the coolant is too cold to start.',
  ),
  state('LOW_COOLANT_LEVEL', 'Low coolant level', 'True while there is too little coolant.'),
  state('LOW_FUEL', 'Low fuel', 'True while there is too little fuel.'),
  state('FUEL_LEAK', 'Fuel leak', 'True while fuel is where it must not be.'),
  state('LOW_BATTERY_VOLTAGE', 'Low battery voltage', 'True while the battery is low.'),
  state('HIGH_BATTERY_VOLTAGE', 'High battery voltage', 'True while the battery is overcharged.'),
  state('CHARGER_FAILURE', 'Charger failure', 'True while the battery charger has failed.'),
  state('OVERLOAD', 'Overload', 'True while it carries more than it is rated for.'),
  state('OVERVOLTAGE', 'Overvoltage', 'True while its voltage is too high.'),
  state('UNDERVOLTAGE', 'Undervoltage', 'True while its voltage is too low.'),
  state('OVERFREQUENCY', 'Overfrequency', 'True while its frequency is too high.'),
  state('UNDERFREQUENCY', 'Underfrequency', 'True while its frequency is too low.'),
  state('OVERCURRENT', 'Overcurrent', 'True while a phase current is too high.'),
  state('REVERSE_POWER', 'Reverse power', 'True while it is driven by another source.'),
  state('SERVICE_DUE', 'Service due', 'True when service is due.'),
];

/** What describes a generator set: its output, its engine, its fuel and its controller. */
export const GENERATOR: readonly Entry[] = [
  ...POWER,
  ...VOLTAGES,
  ...CURRENTS,
  ...ENERGY,
  ...ENGINE,
  ...FUEL_AND_BATTERY,
  ...COUNTERS,
  ...STATES,
  ...ALARMS,
];
