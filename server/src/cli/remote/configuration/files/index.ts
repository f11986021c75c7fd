export {
  createBody,
  type DesiredRecord,
  type DesiredReference,
  desiredRecords,
} from './desired.ts';
export { loadFiles, loadTemplate, TOP_KINDS } from './files.ts';
export { printYaml, SCHEMA_FILE } from './print.ts';
export { type Problem, problemText } from './problem.ts';
export { configurationSchema } from './schema.ts';
