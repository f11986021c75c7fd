export {
  type Content,
  type Loss,
  type Restored,
  restoreBackup,
  writeBackup,
} from './backup/index.ts';
export type { ChangeListener, Listening } from './change-notifications.ts';
export { type ClockCheck, createClockCheck } from './clock-check/index.ts';
export { all, among, anyOf, contains, containsEach, inScope } from './conditions.ts';
export { type EmbeddedPostgres, startEmbedded } from './embedded/index.ts';
export { isChanged, isEpochEnded, violates } from './errors.ts';
export { type DatabaseFacts, hasSchema, inspectDatabase, withQueries } from './inspection.ts';
export { claimSecret, type SecretOptions } from './installation.ts';
export {
  type EngineOptions,
  findDatabase,
  MIGRATIONS,
  type OpenStorage,
  openStorage,
  type StorageOptions,
  withDatabase,
  withOwnDatabase,
} from './open.ts';
export { type List, type Page, type PageRequest, page } from './page.ts';
export type { Target } from './pool.ts';
export { prepared } from './prepared.ts';
export { type EncryptedColumn, reencrypt } from './reencrypt.ts';
export { type Reference, requireReferences } from './references.ts';
export { type Rows, rowsOf, saved } from './rows.ts';
export { run, runAll, type Sql, type SqlValue, sql, statementOf } from './sql.ts';
export type {
  LockKey,
  OrderedQueries,
  Queries,
  SessionLocks,
  Statement,
  Storage,
  Transaction,
  Transactions,
  WriteProbe,
} from './storage.ts';
export { requireNoLoop, type Tree } from './tree.ts';
