export { journalBatch } from './journal-batch.ts';
export {
  HISTORY_FLAG,
  type JournalColumns,
  kindBits,
  kindOf,
  STRING_TAG,
  tagOf,
} from './journal-columns.ts';
export { commonForm, decodeJournalRow, plainBytes, type RowForm } from './journal-row.ts';
export { type JournalRange, JournalRows } from './journal-rows.ts';
export { JournalOwnership } from './ownership.ts';
export { type ReplayDeps, replayJournals } from './replay.ts';
export { type SeriesColumns, seriesRow } from './series-row.ts';
export {
  carriedOverStatement,
  countQuarantined,
  deleteJournal,
  findLastRow,
  type JournalPosition,
  journalProbe,
  journalStatement,
} from './store.ts';
