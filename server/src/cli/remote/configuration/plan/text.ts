import { escapeControls } from '../../../../runtime/index.ts';
import { counted, type Paint } from '../../../command/index.ts';
import {
  deviceKeyOf,
  FIELDS,
  isObject,
  isSame,
  type Json,
  type Kind,
  nameOf,
} from '../model/index.ts';
import type { FieldChange, Plan, Step } from './plan.ts';

/** A plan with the number of readings that each deletion loses, by the name of the record. */
export interface CountedPlan {
  readonly plan: Plan;
  readonly readings: ReadonlyMap<string, number>;
}

const MAX_VALUE_CHARACTERS = 80;

/** A value on one line; secrets are masked. */
function valueText(value: Json): string {
  const text = escapeControls(JSON.stringify(withoutSecrets(value)));
  return text.length > MAX_VALUE_CHARACTERS ? `${text.slice(0, MAX_VALUE_CHARACTERS)}…` : text;
}

function withoutSecrets(value: Json): Json {
  return isObject(value) && 'appKey' in value ? { ...value, appKey: '********' } : value;
}

/** A field without a value has its default. */
function fieldText(kind: Kind, field: string, value: Json | undefined): string {
  const initial = FIELDS[kind][field]?.default ?? null;
  return value === undefined ? `${valueText(initial)} (default)` : valueText(value);
}

/** A change of a map names what differs in it. */
function changeLines(kind: Kind, { field, from, to }: FieldChange): string[] {
  if (!isObject(from) || !isObject(to)) {
    return [`${field}: ${fieldText(kind, field, from)} → ${fieldText(kind, field, to)}`];
  }
  return [...new Set([...Object.keys(from), ...Object.keys(to)])]
    .filter((name) => !isSame(from[name], to[name]))
    .map((name) => {
      const [before, after] =
        name === 'appKey'
          ? ['********', '(another one)']
          : [from[name], to[name]].map((value) => valueText(value ?? null));
      return `${field}.${name}: ${before} → ${after}`;
    });
}

function stepLines(step: Step, paint: Paint, readings: CountedPlan['readings']): string[] {
  const name = nameOf(step);
  if (step.action === 'create') {
    const fields = Object.entries(step.fields).map(
      ([field, value]) => `    ${field}: ${valueText(value)}`,
    );
    return [paint.green(`+ create ${name}`), ...fields];
  }
  if (step.action === 'update') {
    const restored = step.actual.isArchived ? ['    restored from the archive'] : [];
    const changes = step.changes
      .flatMap((change) => changeLines(step.kind, change))
      .map((line) => `    ${line}`);
    return [paint.yellow(`~ change ${name}`), ...restored, ...changes];
  }
  const lost = readings.get(name);
  const verb = step.kind === 'alarms' || step.kind === 'dashboards' ? 'archive' : 'delete';
  return [
    paint.red(`- ${verb} ${name}`),
    ...(lost === undefined ? [] : [paint.red(`    ${counted(lost, 'stored reading')} lost`)]),
  ];
}

function stepCounts({ stages }: Plan) {
  const count = (action: Step['action']) =>
    stages.flat().filter((step) => step.action === action).length;
  return { create: count('create'), update: count('update'), delete: count('delete') };
}

export function isDrift({ stages }: Plan): boolean {
  return stages.length > 0;
}

const MAX_LISTED_RECORDS = 20;

/** The Variables of a Device are not named beside it. */
function unlistedLines(unlisted: Plan['unlisted']): string[] {
  if (unlisted.length === 0) return [];
  const names = new Set(unlisted.map(nameOf));
  const shown = unlisted
    .filter(
      ({ kind, key }) =>
        kind !== 'variables' || !names.has(nameOf({ kind: 'devices', key: deviceKeyOf(key) })),
    )
    .slice(0, MAX_LISTED_RECORDS);
  const rest = unlisted.length - shown.length;
  return [
    `In no file, and kept without --prune: ${counted(unlisted.length, 'record')}.`,
    ...shown.map((each) => `    ${nameOf(each)}`),
    ...(rest > 0 ? [`    and ${rest} more`] : []),
  ];
}

/** The plan as people read it. */
export function planLines({ plan, readings }: CountedPlan, paint: Paint): string[] {
  const { create, update, delete: deleted } = stepCounts(plan);
  const lost = [...readings.values()].reduce((sum, count) => sum + count, 0);
  const { adopted, unlisted } = plan;
  return [
    ...plan.stages.flat().flatMap((step) => stepLines(step, paint, readings)),
    isDrift(plan)
      ? paint.bold(`${create} to create, ${update} to change, ${deleted} to delete.`)
      : 'No changes: the server has what the files say.',
    ...(lost > 0 ? [paint.red(`Deleting loses ${counted(lost, 'stored reading')}.`)] : []),
    ...(adopted.length > 0
      ? [`${counted(adopted.length, 'record')} found by name: apply stores the keys.`]
      : []),
    ...unlistedLines(unlisted),
  ];
}

/** The plan as JSON. */
export function planJson({ plan, readings }: CountedPlan): object {
  const steps = plan.stages.flat().map((step) => {
    const named = { action: step.action, kind: step.kind, key: step.key };
    if (step.action === 'create') return { ...named, fields: maskedAll(step.fields) };
    const found = { ...named, id: step.actual.id };
    if (step.action === 'update') {
      const changes = step.changes.map(({ field, from, to }) => ({
        field,
        from: from === undefined ? null : withoutSecrets(from),
        to: to === undefined ? null : withoutSecrets(to),
      }));
      return { ...found, isRestored: step.actual.isArchived, changes };
    }
    const lost = readings.get(nameOf(step));
    return lost === undefined ? found : { ...found, readings: lost };
  });
  const named = ({ kind, key, id }: Plan['unlisted'][number]) => ({ kind, key, id });
  return {
    isDrift: isDrift(plan),
    counts: stepCounts(plan),
    steps,
    adopted: plan.adopted.map(named),
    unlisted: plan.unlisted.map(named),
  };
}

function maskedAll(fields: Readonly<Record<string, Json>>): Json {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, withoutSecrets(value)]),
  );
}
