export { runApply, runExport, runPlan, runSchema, runTemplate } from './commands.ts';
