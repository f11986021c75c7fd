import type { Site } from './sites.ts';

interface Unstated {
  readonly file: string;
  /** The beginning of the call. */
  readonly call: string;
  readonly reason: string;
}

const list = (file: string, reason: string, calls: readonly string[]): Unstated[] =>
  calls.map((call) => ({ file, call, reason }));

const PASSED_ON = 'It passes on a statement, which is checked where it is written.';
const ANY_TABLE = 'It is made for each table and key that the catalogue lists.';
const DEFINITION = 'It is a definition, which has neither parameters nor columns.';

/** The calls whose text is made at run time, as often as they occur. */
export const UNSTATED: readonly Unstated[] = [
  ...list('storage/transaction.ts', PASSED_ON, [
    'client.query<Row>(sql, [...params])',
    'client.query(sql, [...params])',
  ]),
  ...list('storage/pool.ts', PASSED_ON, ['client.query<Row>({ ...statement']),
  ...list('storage/share.ts', PASSED_ON, ['lane.query(sql, params, options)']),
  ...list('storage/prepared.ts', PASSED_ON, ['lane.query(sql, params, {']),
  ...list('nodes/fence.ts', PASSED_ON, ['lane.query(text, params)']),
  ...list('storage/backup/restore.ts', PASSED_ON, ['client.query<Row>(sql, [...params])']),
  ...list('storage/inspection.ts', PASSED_ON, ['client.query<Row>(text, [...params])']),
  ...list('readings/flush.ts', PASSED_ON, ['tx.query(sql, params)']),
  ...list('readings/fenced-storage.ts', PASSED_ON, [
    'this.#lane.query(journal.sql, journal.params, { isPrepared: true })',
  ]),
  ...list('storage/migrate.ts', DEFINITION, ['client.query(migration.sql)']),
  ...list('storage/change-notifications.ts', DEFINITION, ["opened.query(channels.join(';'))"]),
  ...list('storage/embedded/server-role.ts', DEFINITION, [
    'client.query(`CREATE ROLE',
    'client.query( `ALTER ROLE',
    'client.query(`ALTER DATABASE',
    'client.query(`CREATE DATABASE',
  ]),
  ...list('storage/backup/foreign-keys.ts', ANY_TABLE, [
    'client.query(`ALTER TABLE',
    "client.query( set === ''",
    'client.query( `ALTER TABLE',
  ]),
  ...list('storage/backup/salvage.ts', ANY_TABLE, ['client.query(copyTo(', 'client.query(probe)']),
  ...list('storage/backup/write.ts', ANY_TABLE, ['client.query(copyTo(statement))']),
  ...list('storage/backup/restore.ts', ANY_TABLE, [
    'client.query(`SELECT FROM',
    'client.query(`ALTER TABLE',
    'client.query(copyFrom(',
    'client.query(`ALTER TABLE',
  ]),
];

export function unstatedOf({ call }: Site): Unstated | undefined {
  const { fileName } = call.getSourceFile();
  const text = call.getText().replaceAll(/\s+/g, ' ');
  return UNSTATED.find(
    (each) => fileName.endsWith(`/server/src/${each.file}`) && text.startsWith(each.call),
  );
}
