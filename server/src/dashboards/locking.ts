import { Failure, notFound } from '../runtime/index.ts';
import type { Transaction } from '../storage/index.ts';
import type { WholeDashboardRow } from './dashboard.ts';
import { lockDashboard } from './store.ts';

export async function lock(
  tx: Transaction,
  organizationId: string,
  id: string,
): Promise<WholeDashboardRow> {
  const row = await lockDashboard(tx, organizationId, id);
  if (!row) throw notFound('Dashboard');
  return row;
}

/** `done` says what was asked for: `published`. */
export function requireActive({ archivedAt }: WholeDashboardRow, done: string): void {
  if (archivedAt === null) return;
  throw new Failure('CONFLICT', `An archived Dashboard cannot be ${done}; restore it first.`);
}
