import type { Queries } from '../../src/storage/index.ts';

/** Runs what a store does, but asks PostgreSQL how it would find each statement's rows. */
export async function plansOf(
  db: Queries,
  work: (explaining: Queries) => Promise<unknown>,
): Promise<string[]> {
  const plans: string[] = [];
  await work({
    async query(statement, params) {
      const lines = await db.query<{ 'QUERY PLAN': string }>(`explain ${statement}`, params);
      plans.push(lines.map((line) => line['QUERY PLAN']).join('\n'));
      return [];
    },
  });
  return plans;
}
