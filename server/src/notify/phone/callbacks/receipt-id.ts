import type { AttemptGrant } from './token.ts';

type Attempt = Pick<AttemptGrant, 'deliveryId' | 'attempt'>;

const RECEIPT_ID = /^([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\.(\d{1,6})$/;

/** Names an attempt at a delivery to a service that gives it back. Services take 50 characters. */
export function receiptIdOf({ deliveryId, attempt }: Attempt): string {
  return `${deliveryId}.${attempt}`;
}

/** Null for anything else. */
export function attemptNamed(receiptId: string): Attempt | null {
  const [, deliveryId, attempt] = RECEIPT_ID.exec(receiptId) ?? [];
  if (deliveryId === undefined) return null;
  return { deliveryId, attempt: Number(attempt) };
}
