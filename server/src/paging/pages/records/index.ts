export { runOf } from './run.ts';
export {
  COLUMNS,
  findFacts,
  insertLog,
  insertPages,
  type LogEntry,
  listOpenEvents,
  lockPage,
  type PageChange,
  type PagePolicy,
  type PageRow,
  savePage,
  summarizeEvents,
  wakeSuppressible,
} from './store.ts';
