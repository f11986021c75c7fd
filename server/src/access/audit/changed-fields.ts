import type { AuditEntry } from '@fieldwatch/contract';
import type { Fields } from '../../http/index.ts';

export type ChangedField = AuditEntry['changes'][number];

const MASK = '***';
const SECRET_NAME = /password|secret|token|hash|credential|appkey|privatekey|signingkey/i;
/** Changes with every edit, so it carries no information. */
const UNRECORDED = new Set(['updatedDateTime']);
const MAX_VALUE_CHARACTERS = 8_192;

/** The fields that differ between two states of a record, with secrets masked. */
export function changedFields(
  before: Fields | undefined,
  after: Fields | undefined,
): ChangedField[] {
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  const changes: ChangedField[] = [];
  for (const field of names) {
    if (UNRECORDED.has(field)) continue;
    const from = before?.[field] ?? null;
    const to = after?.[field] ?? null;
    if (isSame(from, to)) continue;
    changes.push({ field, from: shown(field, from), to: shown(field, to) });
  }
  return changes;
}

function isSame(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const left = Object.entries(a);
  const right = new Map(Object.entries(b));
  return (
    left.length === right.size &&
    left.every(([name, value]) => right.has(name) && isSame(value, right.get(name)))
  );
}

function shown(field: string, value: unknown): unknown {
  const masked = mask(field, value);
  const length = JSON.stringify(masked)?.length ?? 0;
  return length > MAX_VALUE_CHARACTERS ? `(${length} characters, too long to keep here)` : masked;
}

function mask(name: string, value: unknown): unknown {
  if (value === null || value === undefined) return null;
  if (SECRET_NAME.test(name)) return MASK;
  if (Array.isArray(value)) return value.map((item) => mask('', item));
  if (typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, mask(key, inner)]));
}
