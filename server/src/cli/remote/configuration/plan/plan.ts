import {
  type ConfigRecord,
  deviceKeyOf,
  FIELDS,
  isObject,
  isSame,
  type Json,
  KINDS,
  nameOf,
  type Reference,
} from '../model/index.ts';

/** A record of the server. */
export interface ActualRecord extends ConfigRecord {
  readonly id: string;
  /** The server has its key; otherwise the key is derived from its name. */
  readonly isKeyStored: boolean;
  readonly isArchived: boolean;
}

export interface FieldChange {
  readonly field: string;
  /** Undefined where the field has its default. */
  readonly from: Json | undefined;
  readonly to: Json | undefined;
}

export interface Create extends ConfigRecord {
  readonly action: 'create';
}

export interface Update extends Reference {
  readonly action: 'update';
  readonly actual: ActualRecord;
  readonly desired: ConfigRecord;
  readonly changes: readonly FieldChange[];
}

export interface Delete extends Reference {
  readonly action: 'delete';
  readonly actual: ActualRecord;
}

export type Step = Create | Update | Delete;

export interface Plan {
  /**
   * In order: records come before those that refer to them, deletions last. The steps of one stage
   * do not depend on each other.
   */
  readonly stages: readonly (readonly Step[])[];
  /** Records whose key the server does not have yet. */
  readonly adopted: readonly ActualRecord[];
  /** Records with a key that are in no file, and stay. */
  readonly unlisted: readonly ActualRecord[];
}

export interface FixedFieldProblem {
  readonly record: Reference;
  readonly field: string;
}

export interface Configurations {
  readonly desired: readonly ConfigRecord[];
  readonly actual: readonly ActualRecord[];
  /** Whether records with a key that are in no file are deleted. */
  readonly isPruned: boolean;
}

/** What leads from the records of the server to those of the files. */
export function planOf({ desired, actual, isPruned }: Configurations): Plan {
  const actualByName = new Map(actual.map((record) => [nameOf(record), record]));
  const wanted = new Set(desired.map(nameOf));
  const changed = inStages(desired).map((stage) =>
    stage.flatMap((record) => stepFor(record, actualByName.get(nameOf(record)))),
  );
  const unlisted = actual.filter(
    (record) => record.isKeyStored && !record.isArchived && !wanted.has(nameOf(record)),
  );
  return {
    stages: [...changed, ...(isPruned ? deletions(unlisted) : [])].filter(
      (stage) => stage.length > 0,
    ),
    adopted: actual.filter((record) => !record.isKeyStored && wanted.has(nameOf(record))),
    unlisted: isPruned ? [] : unlisted,
  };
}

function stepFor(desired: ConfigRecord, actual: ActualRecord | undefined): Step[] {
  if (!actual) return [{ ...desired, action: 'create' }];
  const changes = changesBetween(actual, desired);
  if (changes.length === 0 && !actual.isArchived) return [];
  const { kind, key } = desired;
  return [{ action: 'update', kind, key, actual, desired, changes }];
}

/** Kinds in their order, and parents before their children. */
function inStages<R extends ConfigRecord>(records: readonly R[]): R[][] {
  const byName = new Map(records.map((record) => [nameOf(record), record]));
  const depthOf = ({ kind, fields }: R): number => {
    let depth = 0;
    let { parent } = fields;
    while (typeof parent === 'string' && depth < records.length) {
      parent = byName.get(nameOf({ kind, key: parent }))?.fields.parent;
      depth += 1;
    }
    return depth;
  };
  return KINDS.flatMap((kind) => {
    const stages: R[][] = [];
    for (const record of records.filter((each) => each.kind === kind)) {
      const depth = depthOf(record);
      while (stages.length <= depth) stages.push([]);
      stages[depth]?.push(record);
    }
    return stages;
  });
}

/**
 * Referring records first, and children before their parents, since a deletion changes the records
 * that refer to it. The Variables of a deleted Device go with it.
 */
function deletions(records: readonly ActualRecord[]): Delete[][] {
  const devices = new Set(records.filter(({ kind }) => kind === 'devices').map(({ key }) => key));
  return inStages(records)
    .reverse()
    .map((stage) =>
      stage
        .filter(({ kind, key }) => kind !== 'variables' || !devices.has(deviceKeyOf(key)))
        .map((actual): Delete => {
          const { kind, key } = actual;
          return { action: 'delete', kind, key, actual };
        }),
    );
}

/** Shown to callers without the permission to change a Device. */
const MASKED = /^\*+$/;

/** The fields in which the desired record differs. */
function changesBetween(actual: ConfigRecord, desired: ConfigRecord): FieldChange[] {
  return Object.keys(FIELDS[desired.kind]).flatMap((field): FieldChange[] => {
    const [from, to] = [actual.fields[field], desired.fields[field]];
    // A Dashboard cannot be unpublished.
    if (field === 'isPublished' && to === undefined) return [];
    if (isSame(from, to) || (isMasked(from) && isSame(unmasked(from), unmasked(to)))) return [];
    return [{ field, from, to }];
  });
}

function isMasked(value: Json | undefined): boolean {
  return isObject(value) && typeof value.appKey === 'string' && MASKED.test(value.appKey);
}

function unmasked(value: Json | undefined): Json | undefined {
  return isObject(value) ? { ...value, appKey: null } : value;
}

/** Changes that no operation makes. */
export function fixedFieldProblems({ stages }: Plan): FixedFieldProblem[] {
  return stages
    .flat()
    .flatMap((step) =>
      step.action !== 'update'
        ? []
        : step.changes
            .filter(({ field }) => FIELDS[step.kind][field]?.isFixed)
            .map(({ field }) => ({ record: step, field })),
    );
}
