export { journalBatch } from './journal-batch.ts';
export {
  HISTORY_FLAG,
  type JournalColumns,
  kindBits,
  kindOf,
  markOf,
  STRING_MARK,
} from './journal-columns.ts';
export { createJournalRow, DamagedJournal, decodeJournalRow } from './journal-row.ts';
export {
  countQuarantined,
  deleteJournal,
  type JournalPlace,
  journalStatement,
  listJournalRows,
  nextWriter,
  quarantineJournalRow,
} from './store.ts';
