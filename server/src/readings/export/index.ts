export { bucketTable } from './bucket-table.ts';
export { csvOf } from './csv.ts';
export { Exports } from './exports.ts';
export type { ExportPlan } from './table.ts';
