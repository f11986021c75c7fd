import type { KeyPermission } from '@fieldwatch/contract';

/** What an edit can change. */
export interface KeyTerms {
  readonly name: string;
  readonly permissions: readonly KeyPermission[];
  /** Null means never. */
  readonly expiresAt: number | null;
}

export function isSameTerms(a: KeyTerms, b: KeyTerms): boolean {
  return (
    a.name === b.name &&
    a.expiresAt === b.expiresAt &&
    a.permissions.length === b.permissions.length &&
    a.permissions.every((permission) => b.permissions.includes(permission))
  );
}

/** The permissions that an edit grants. A later expiry grants every permission again. */
export function grantedByEdit(before: KeyTerms, after: KeyTerms): KeyPermission[] {
  const livesLonger = endOf(after) > endOf(before);
  return after.permissions.filter(
    (permission) => livesLonger || !before.permissions.includes(permission),
  );
}

/** Whether an edit grants a permission or a later expiry. */
export function grantsAnything(before: KeyTerms, after: KeyTerms): boolean {
  return endOf(after) > endOf(before) || grantedByEdit(before, after).length > 0;
}

function endOf({ expiresAt }: KeyTerms): number {
  return expiresAt ?? Number.POSITIVE_INFINITY;
}
