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

/** What an edit gives that was not there before. A longer life gives every permission anew. */
export function grantedByEdit(before: KeyTerms, after: KeyTerms): KeyPermission[] {
  const livesLonger = endOf(after) > endOf(before);
  return after.permissions.filter(
    (permission) => livesLonger || !before.permissions.includes(permission),
  );
}

/** Whether an edit gives anything: a permission, or a longer life. */
export function givesAnything(before: KeyTerms, after: KeyTerms): boolean {
  return endOf(after) > endOf(before) || grantedByEdit(before, after).length > 0;
}

function endOf({ expiresAt }: KeyTerms): number {
  return expiresAt ?? Number.POSITIVE_INFINITY;
}
