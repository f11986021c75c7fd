import { type Sql, sql } from '../storage/index.ts';

/**
 * The events of an organization whose span, from raised to cleared, meets a condition. The index of
 * spans serves only who says that `raised_at` is finite, so that no look-up by key uses it.
 */
export function eventsBySpan(organizationId: string, condition: Sql): Sql {
  return sql`organization_id = ${organizationId} and raised_at > '-infinity'
    and tstzrange(raised_at, cleared_at, '[]') ${condition}`;
}
