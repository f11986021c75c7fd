import { createHash } from 'node:crypto';
import { type Binding, Failure, invalid, type Keyring } from '../runtime/index.ts';
import type { Transaction } from '../storage/index.ts';
import { JSON_TYPE, type Presented } from './present.ts';
import { claimKey, type IdempotencyScope, saveResponse } from './store.ts';

const RETENTION_MS = 24 * 60 * 60 * 1000;
const PURPOSE = 'idempotency';
const PRINTABLE = /^[\x21-\x7e]{1,255}$/;

const bindingOf = ({ credential, operation, key }: IdempotencyScope): Binding => [
  'idempotency_keys',
  'sealed_body',
  credential,
  operation,
  key,
];

/** One request that may be repeated without doing its work twice. */
export interface Repeatable {
  readonly scope: IdempotencyScope;
  readonly requestHash: Buffer;
  readonly nowMs: number;
}

export function repeatable(
  header: string | string[],
  credential: string,
  operation: string,
  request: { url: string; body: unknown; nowMs: number },
): Repeatable {
  if (typeof header !== 'string' || !PRINTABLE.test(header)) {
    throw invalid({ path: 'Idempotency-Key', message: 'must be 1 to 255 printable characters' });
  }
  const requestHash = createHash('sha256')
    .update(`${request.url}\n${JSON.stringify(request.body)}`)
    .digest();
  return { scope: { credential, operation, key: header }, requestHash, nowMs: request.nowMs };
}

/**
 * Runs the work in this transaction, unless the same request was answered before; then it returns
 * that response. The key, the work and the response commit together, so no crash can separate them.
 * Responses are encrypted, since they may show a secret that is stored nowhere else.
 */
export async function once(
  tx: Transaction,
  keyring: Keyring,
  request: Repeatable,
  work: () => Promise<Presented>,
): Promise<Presented> {
  const { scope, requestHash, nowMs } = request;
  const stored = await claimKey(tx, scope, {
    requestHash,
    nowMs,
    expiredBeforeMs: nowMs - RETENTION_MS,
  });
  if (stored === null) {
    const response = await work();
    await saveResponse(tx, scope, {
      status: response.status,
      location: response.headers.location ?? null,
      etag: response.headers.etag ?? null,
      encryptedBody: keyring.encrypt(PURPOSE, bindingOf(scope), Buffer.from(response.body ?? '')),
    });
    return response;
  }
  if (!stored.requestHash.equals(requestHash)) {
    throw new Failure(
      'IDEMPOTENCY_KEY_REUSED',
      'This Idempotency-Key was used with another request; use a new one.',
    );
  }
  return {
    status: stored.status,
    headers: {
      'content-type': JSON_TYPE,
      'idempotency-replayed': 'true',
      ...(stored.location === null ? {} : { location: stored.location }),
      ...(stored.etag === null ? {} : { etag: stored.etag }),
    },
    body: keyring.decrypt(PURPOSE, bindingOf(scope), stored.encryptedBody).toString(),
  };
}
