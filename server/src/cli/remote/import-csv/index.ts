export { runImportCsv } from './import-csv.ts';
