export { runImportCsv } from './import-csv/index.ts';
export { runMcp } from './mcp.ts';
export { runPublish } from './publish.ts';
export { runTail } from './tail.ts';
