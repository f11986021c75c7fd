export { ExportPool } from './pool.ts';
export type { ExportPlan, Undecoded } from './table.ts';
