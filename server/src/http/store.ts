import { run, sql, type Transaction } from '../storage/index.ts';

/** Whose key it is: the same key of another credential or operation is another key. */
export interface IdempotencyScope {
  readonly credential: string;
  readonly operation: string;
  readonly key: string;
}

export interface StoredResponse {
  readonly requestHash: Buffer;
  readonly status: number;
  readonly location: string | null;
  readonly etag: string | null;
  readonly encryptedBody: Buffer;
}

/** The response is null while the transaction that claimed the key is open. */
type StoredRow = Omit<StoredResponse, 'status' | 'encryptedBody'> & {
  readonly status: number | null;
  readonly encryptedBody: Buffer | null;
};

/**
 * Takes the key for this transaction. While another transaction holds it, this waits for its end.
 * Null when this transaction now holds the key: it was free, or its response is older than `expiredBeforeMs`.
 */
export async function claimKey(
  tx: Transaction,
  { credential, operation, key }: IdempotencyScope,
  claim: { requestHash: Buffer; nowMs: number; expiredBeforeMs: number },
): Promise<StoredResponse | null> {
  const claimed = await run(
    tx,
    sql`insert into idempotency_keys as stored (credential, operation, key, request_hash,
          created_at)
        values (${credential}, ${operation}, ${key}, ${claim.requestHash},
          to_timestamp(${claim.nowMs}::double precision / 1000))
        on conflict (credential, operation, key) do update
          set request_hash = excluded.request_hash, created_at = excluded.created_at,
              status = null, location = null, etag = null, sealed_body = null
          where stored.created_at <= to_timestamp(${claim.expiredBeforeMs}::double precision / 1000)
        returning 1`,
  );
  if (claimed.length > 0) return null;
  const [stored] = await run<StoredRow>(
    tx,
    sql`select request_hash as "requestHash", status, location, etag, sealed_body as "encryptedBody"
        from idempotency_keys where credential = ${credential} and operation = ${operation}
          and key = ${key}`,
  );
  if (!stored) return null;
  const { status, encryptedBody } = stored;
  // The claim and the response are committed together.
  if (status === null || encryptedBody === null) throw new Error('a stored key has no response');
  return { ...stored, status, encryptedBody };
}

export async function saveResponse(
  tx: Transaction,
  { credential, operation, key }: IdempotencyScope,
  response: Omit<StoredResponse, 'requestHash'>,
): Promise<void> {
  await run(
    tx,
    sql`update idempotency_keys set status = ${response.status}, location = ${response.location},
          etag = ${response.etag}, sealed_body = ${response.encryptedBody}
        where credential = ${credential} and operation = ${operation} and key = ${key}`,
  );
}
