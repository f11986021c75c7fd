import type { MaintenanceWindow } from '@fieldwatch/contract';

export type Scope = MaintenanceWindow['scope'];
export type ScopeField = keyof Scope;

/** The parts of a scope, in the order in which they are shown. */
export const SCOPE_FIELDS = [
  'locationIds',
  'deviceIds',
  'assetIds',
  'alarmGroupIds',
  'alarmIds',
] as const satisfies readonly ScopeField[];

export interface ScopeEntry {
  readonly field: ScopeField;
  readonly id: string;
}

export const EMPTY_SCOPE: Scope = {
  locationIds: [],
  deviceIds: [],
  assetIds: [],
  alarmGroupIds: [],
  alarmIds: [],
};

/** The scope of a window as the audit log has it; null for anything else. */
export function scopeIn(value: unknown): Scope | null {
  const given = Object(value) as Partial<Scope>;
  if (!SCOPE_FIELDS.some((field) => Array.isArray(given[field]))) return null;
  return { ...EMPTY_SCOPE, ...given };
}

export function entriesOf(scope: Scope): ScopeEntry[] {
  return SCOPE_FIELDS.flatMap((field) => scope[field].map((id) => ({ field, id })));
}

export function withEntry(scope: Scope, { field, id }: ScopeEntry): Scope {
  return scope[field].includes(id) ? scope : { ...scope, [field]: [...scope[field], id] };
}

export function withoutEntry(scope: Scope, { field, id }: ScopeEntry): Scope {
  return { ...scope, [field]: scope[field].filter((each) => each !== id) };
}
