import { type Sql, sql } from '../storage/index.ts';

/**
 * Whether an event is active that is found by its id or its Variable. In this form the index of active
 * events does not apply: before the tables are counted, the planner would take it and read all active
 * events of the organization for each one.
 */
export const isActive = (event: Sql): Sql =>
  sql`coalesce(${event}.cleared_at, 'infinity') = 'infinity'`;
