import type { Command } from '../command/index.ts';

export { runImportCsv } from './import-csv/index.ts';
export { runMcp } from './mcp.ts';
export { runPublish } from './publish.ts';
export { runTail } from './tail.ts';

/** Loaded by itself, since the other commands do not need YAML. */
const configuration = () => import('./configuration/index.ts');

export const runExport: Command['run'] = async (...args) =>
  (await configuration()).runExport(...args);
export const runPlan: Command['run'] = async (...args) => (await configuration()).runPlan(...args);
export const runApply: Command['run'] = async (...args) =>
  (await configuration()).runApply(...args);
export const runTemplate: Command['run'] = async (...args) =>
  (await configuration()).runTemplate(...args);
export const runSchema: Command['run'] = async (...args) =>
  (await configuration()).runSchema(...args);
