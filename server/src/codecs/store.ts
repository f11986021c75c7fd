import type { Codec } from '@fieldwatch/contract';
import { fold, isoDateTime } from '../runtime/index.ts';
import { rowsOf, run, saved, sql, type Transaction } from '../storage/index.ts';

export interface ListedCodecRow {
  readonly id: string;
  readonly name: string;
  readonly testCount: number;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly revision: number;
}

export interface CodecRow extends Omit<ListedCodecRow, 'testCount'> {
  readonly script: string;
  readonly tests: Codec['tests'];
}

/** What an edit may set. */
export type CodecFields = Pick<CodecRow, 'name' | 'script' | 'tests'>;

const LISTED = sql`id, name, json_array_length(tests) as "testCount", created_at as "createdAt",
  updated_at as "updatedAt", revision`;

const COLUMNS = sql`id, name, script, tests, created_at as "createdAt", updated_at as "updatedAt",
  revision`;

export const { list: listCodecs } = rowsOf<ListedCodecRow>('codecs', LISTED);

export const {
  find: findCodec,
  lock: lockCodec,
  remove: deleteCodec,
} = rowsOf<CodecRow>('codecs', COLUMNS);

/** The organization is locked, so that two new codecs are counted one after the other. */
export async function countCodecs(tx: Transaction, organizationId: string): Promise<number> {
  await run(tx, sql`select id from organizations where id = ${organizationId} for no key update`);
  const [row] = await run<{ count: number }>(
    tx,
    sql`select count(*)::int as count from codecs where organization_id = ${organizationId}`,
  );
  return row?.count ?? 0;
}

export async function insertCodec(
  tx: Transaction,
  organizationId: string,
  { id, now, ...fields }: CodecFields & { readonly id: string; readonly now: number },
): Promise<CodecRow> {
  const at = isoDateTime(now);
  return saved(
    run<CodecRow>(
      tx,
      sql`insert into codecs (organization_id, id, name, name_folded, script, tests, created_at,
            updated_at)
          values (${organizationId}, ${id}, ${fields.name}, ${fold(fields.name)}, ${fields.script},
            ${JSON.stringify(fields.tests)}, ${at}, ${at})
          returning ${COLUMNS}`,
    ),
  );
}

export async function updateCodec(
  tx: Transaction,
  organizationId: string,
  id: string,
  fields: CodecFields,
  now: number,
): Promise<CodecRow> {
  return saved(
    run<CodecRow>(
      tx,
      sql`update codecs set name = ${fields.name}, name_folded = ${fold(fields.name)},
            script = ${fields.script}, tests = ${JSON.stringify(fields.tests)},
            updated_at = ${isoDateTime(now)}, revision = revision + 1
          where organization_id = ${organizationId} and id = ${id} returning ${COLUMNS}`,
    ),
  );
}
