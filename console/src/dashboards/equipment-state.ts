import { type EquipmentWidgetType, isTankLevel } from '@fieldwatch/contract';
import type { ReadingValue, Variable } from '../service/index.ts';
import { strings } from '../strings/index.ts';

const words = strings.dashboards.equipment;

type Tone = 'good' | 'bad' | 'high' | 'medium' | 'info' | 'plain';

export type EquipmentVariable = Pick<
  Variable,
  'id' | 'name' | 'unit' | 'type' | 'classificationType'
>;

/** The state of a piece of equipment in one line: a word in its colour, then the main values. */
export interface EquipmentState {
  readonly tone: Tone;
  readonly word: string;
  readonly details: readonly string[];
  /** The level of a tank, from 0 to 1. */
  readonly level: number | null;
}

type ValueOf = (variableId: string) => ReadingValue | undefined;
type TextOf = (value: ReadingValue, unit: string | null) => string;

/** The newest values, and how they are written. */
export interface EquipmentValues {
  readonly valueBy: ValueOf;
  readonly textOf: TextOf;
}

/** Values by the end of their classification: `FUEL_LEVEL`. */
function readerOf(variables: readonly EquipmentVariable[], { valueBy, textOf }: EquipmentValues) {
  const find = (suffix: string) =>
    variables.find(({ classificationType }) =>
      /^[A-Z]+_(GENERATOR|ATS|UTILITY|FEEDER)_/.test(classificationType ?? '')
        ? classificationType?.replace(/^[A-Z]+_(GENERATOR|ATS|UTILITY|FEEDER)_/, '') === suffix
        : classificationType === suffix,
    );
  const value = (suffix: string): ReadingValue | undefined => {
    const variable = find(suffix);
    return variable && valueBy(variable.id);
  };
  return {
    value,
    isOn: (...suffixes: string[]) => suffixes.some((suffix) => value(suffix) === true),
    /** "Fuel level 63 %". */
    texts: (...suffixes: string[]) =>
      suffixes.flatMap((suffix) => {
        const variable = find(suffix);
        const known = variable && valueBy(variable.id);
        return variable && known !== undefined
          ? [`${variable.name} ${textOf(known, variable.unit)}`]
          : [];
      }),
  };
}

type Reader = ReturnType<typeof readerOf>;

function generatorState({ value, isOn, texts }: Reader): Omit<EquipmentState, 'level'> {
  const details = texts('KW', 'FUEL_LEVEL', 'BATTERY_VOLTAGE');
  const named = value('ENGINE_STATE');
  const state = (tone: Tone, word: string) => ({ tone, word, details });
  if (isOn('EMERGENCY_STOP', 'COMMON_SHUTDOWN')) return state('bad', words.shutDown);
  if (isOn('COMMON_ALARM')) return state('bad', words.fault);
  if (isOn('NOT_IN_AUTO', 'IN_OFF')) return state('medium', words.notInAuto);
  if (isOn('IN_TEST')) return state('info', words.test);
  const word = typeof named === 'string' && named !== '' ? named : null;
  if (isOn('RUNNING')) return state('good', word ?? words.running);
  if (isOn('CRANKING')) return state('info', word ?? words.cranking);
  if (word !== null) return state('plain', word);
  return value('RUNNING') === false ? state('plain', words.stopped) : state('plain', words.unknown);
}

function switchState({ value, isOn, texts }: Reader): Omit<EquipmentState, 'level'> {
  const details = texts('KW', 'TRANSFERS', 'HOURS_ON_EMERGENCY');
  const state = (tone: Tone, word: string) => ({ tone, word, details });
  if (isOn('FAILED_TO_TRANSFER', 'COMMON_ALARM')) return state('bad', words.fault);
  if (isOn('TRANSFERRING')) return state('info', words.transferring);
  if (isOn('EMERGENCY_POSITION')) return state('high', words.emergency);
  if (isOn('NORMAL_POSITION')) return state('good', words.normal);
  const position = value('POSITION');
  return state('plain', typeof position === 'string' && position !== '' ? position : words.unknown);
}

const LOW_SHARE = 0.25;
const EMPTY_SHARE = 0.1;

function tankState(
  variables: readonly EquipmentVariable[],
  values: EquipmentValues,
): EquipmentState {
  const { valueBy, textOf } = values;
  const level = variables.find(
    ({ type, classificationType }) => type === 'NUMBER' && isTankLevel(classificationType ?? null),
  );
  const value = level && valueBy(level.id);
  const details = readerOf(variables, values).texts('FUEL_VOLUME', 'FUEL_RATE');
  if (!level || typeof value !== 'number') {
    return { tone: 'plain', word: words.unknown, details, level: null };
  }
  const text = textOf(value, level.unit);
  if (level.unit !== '%') return { tone: 'plain', word: text, details, level: null };
  const share = Math.min(1, Math.max(0, value / 100));
  const tone = share < EMPTY_SHARE ? 'bad' : share < LOW_SHARE ? 'medium' : 'good';
  return { tone, word: text, details, level: share };
}

/** Decides the state from the Variables that the classifications name; missing ones are left out. */
export function equipmentState(
  type: EquipmentWidgetType,
  variables: readonly EquipmentVariable[],
  values: EquipmentValues,
): EquipmentState {
  if (type === 'TANK') return tankState(variables, values);
  const reader = readerOf(variables, values);
  const state = type === 'GENERATOR' ? generatorState(reader) : switchState(reader);
  return { ...state, level: null };
}
