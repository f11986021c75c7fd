export { journalBatch } from './journal-batch.ts';
export {
  HISTORY_FLAG,
  type JournalColumns,
  kindBits,
  kindOf,
  STRING_TAG,
  tagOf,
} from './journal-columns.ts';
export { createJournalRow, DamagedJournal, decodeJournalRow } from './journal-row.ts';
export {
  countQuarantined,
  deleteJournal,
  type JournalPosition,
  journalStatement,
  listJournalRows,
  nextWriterId,
  quarantineJournalRow,
} from './store.ts';
