import type { Transaction } from '../storage/index.ts';

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

/**
 * Takes the key for this transaction. While another transaction holds it, this waits for its end.
 * Null when this transaction now holds the key: it was free, or its response is older than `expiredBeforeMs`.
 */
export async function claimKey(
  tx: Transaction,
  { credential, operation, key }: IdempotencyScope,
  claim: { requestHash: Buffer; nowMs: number; expiredBeforeMs: number },
): Promise<StoredResponse | null> {
  const claimed = await tx.query(
    `insert into idempotency_keys as stored (credential, operation, key, request_hash, created_at)
     values ($1, $2, $3, $4, to_timestamp($5::double precision / 1000))
     on conflict (credential, operation, key) do update
       set request_hash = excluded.request_hash, created_at = excluded.created_at,
           status = null, location = null, etag = null, sealed_body = null
       where stored.created_at <= to_timestamp($6::double precision / 1000)
     returning 1`,
    [credential, operation, key, claim.requestHash, claim.nowMs, claim.expiredBeforeMs],
  );
  if (claimed.length > 0) return null;
  const [stored] = await tx.query<StoredResponse>(
    `select request_hash as "requestHash", status, location, etag, sealed_body as "encryptedBody"
     from idempotency_keys where credential = $1 and operation = $2 and key = $3`,
    [credential, operation, key],
  );
  return stored ?? null;
}

export async function saveResponse(
  tx: Transaction,
  { credential, operation, key }: IdempotencyScope,
  response: Omit<StoredResponse, 'requestHash'>,
): Promise<void> {
  await tx.query(
    `update idempotency_keys set status = $4, location = $5, etag = $6, sealed_body = $7
     where credential = $1 and operation = $2 and key = $3`,
    [
      credential,
      operation,
      key,
      response.status,
      response.location,
      response.etag,
      response.encryptedBody,
    ],
  );
}
