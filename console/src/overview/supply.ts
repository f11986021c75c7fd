import type { Site } from '@fieldwatch/contract';
import type { LiveValue } from '../live/index.ts';

export type SiteVariable = Site['variables'][number];
type Values = ReadonlyMap<string, LiveValue>;

/** What feeds the load; `OFF_UTILITY` where only that is known that the utility does not. */
export type PowerSource = 'UTILITY' | 'GENERATOR' | 'BOTH' | 'OFF_UTILITY' | 'NONE';

function withSuffix(variables: readonly SiteVariable[], ...suffixes: string[]) {
  return variables.filter(({ classificationType }) =>
    suffixes.some((suffix) => classificationType === `ELECTRICAL_${suffix}`),
  );
}

/** Whether any of these Variables is true; null if none of them has a value. */
function isOn(variables: readonly SiteVariable[], values: Values, suffix: string): boolean | null {
  const known = withSuffix(variables, suffix).flatMap(({ id }) => values.get(id)?.value ?? []);
  return known.length === 0 ? null : known.includes(true);
}

/**
 * By the positions of transfer switches, else by what supplies the load, else by what runs and is
 * available. Null if that does not decide it.
 */
export function powerSourceOf(
  variables: readonly SiteVariable[],
  values: Values,
): PowerSource | null {
  const on = (suffix: string) => isOn(variables, values, suffix);
  const [normal, emergency] = [on('ATS_NORMAL_POSITION'), on('ATS_EMERGENCY_POSITION')];
  if (normal !== null || emergency !== null) {
    if (normal === false && emergency === null) return 'OFF_UTILITY';
    return normal === null && emergency === false ? null : sourceOf(normal, emergency);
  }
  const [utility, generator] = [on('UTILITY_SUPPLYING_LOAD'), on('GENERATOR_SUPPLYING_LOAD')];
  if (utility !== null && generator !== null) return sourceOf(utility, generator);
  if (utility || generator) return sourceOf(utility, generator);
  const [isAvailable, isRunning] = [on('UTILITY_AVAILABLE'), on('GENERATOR_RUNNING')];
  if (isAvailable === true && isRunning !== true) return 'UTILITY';
  return isAvailable === false && isRunning === true ? 'GENERATOR' : null;
}

function sourceOf(utility: boolean | null, generator: boolean | null): PowerSource {
  if (utility) return generator ? 'BOTH' : 'UTILITY';
  return generator ? 'GENERATOR' : 'NONE';
}

const SOURCE_CLASSIFICATION = /_(POSITION|SUPPLYING_LOAD|RUNNING|AVAILABLE)$/;

/** Whether values may show what feeds the load. */
export function hasSource(variables: readonly SiteVariable[]): boolean {
  return variables.some(({ classificationType }) => SOURCE_CLASSIFICATION.test(classificationType));
}

/** The Variables whose sum is the load: of transfer switches, else of the sources, else of feeders. */
export function loadVariables(variables: readonly SiteVariable[]): readonly SiteVariable[] {
  const choices = [
    withSuffix(variables, 'ATS_KW'),
    withSuffix(variables, 'UTILITY_KW', 'GENERATOR_KW'),
    withSuffix(variables, 'FEEDER_KW'),
  ];
  const chosen = choices.find((choice) => choice.length > 0) ?? [];
  // Values of different units have no sum.
  return new Set(chosen.map(({ unit }) => unit)).size === 1 ? chosen : [];
}

export function fuelVariables(variables: readonly SiteVariable[]): readonly SiteVariable[] {
  return withSuffix(variables, 'GENERATOR_FUEL_LEVEL');
}

export interface Quantity {
  readonly value: number;
  readonly unit: string | null;
  /** The time of its oldest part. */
  readonly atMs: number;
}

/** The sum of the Variables; null unless each of them has a number. */
export function sumOf(variables: readonly SiteVariable[], values: Values): Quantity | null {
  const [first] = variables;
  let [sum, atMs] = [0, Number.POSITIVE_INFINITY];
  for (const { id } of variables) {
    const latest = values.get(id);
    if (typeof latest?.value !== 'number') return null;
    sum += latest.value;
    atMs = Math.min(atMs, latest.timestamp);
  }
  return first ? { value: sum, unit: first.unit, atMs } : null;
}

export interface Tank extends Quantity {
  readonly variableId: string;
}

/** The emptiest tank. */
export function lowestTank(variables: readonly SiteVariable[], values: Values): Tank | null {
  const tanks = fuelVariables(variables).flatMap(({ id, unit }): Tank[] => {
    const latest = values.get(id);
    return typeof latest?.value === 'number'
      ? [{ variableId: id, value: latest.value, unit, atMs: latest.timestamp }]
      : [];
  });
  return tanks.toSorted((a, b) => a.value - b.value)[0] ?? null;
}
