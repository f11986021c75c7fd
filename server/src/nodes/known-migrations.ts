import type { NodeRow } from './store.ts';

/**
 * Whether every node that runs knows a migration. Once they do they always will: an older version
 * cannot start on a migrated database.
 */
export function allKnow(
  nodes: readonly Pick<NodeRow, 'lostAt' | 'migration'>[],
  migration: number,
) {
  return nodes.every(
    ({ lostAt, migration: known }) => lostAt !== null || (known ?? 0) >= migration,
  );
}
