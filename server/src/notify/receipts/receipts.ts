import type { PhoneChannel } from '@fieldwatch/contract';
import type { Callback, CallbackAnswer } from '../../http/index.ts';
import type { Storage } from '../../storage/index.ts';
import type { NextContactDeps } from '../next-contact/index.ts';
import { type CallbackDeps, refusal, reportedOfAttempt } from '../phone/index.ts';
import { type Receipt, saveReceipt } from './store.ts';
import { handleUndelivered } from './undelivered.ts';

export interface ReceiptsDeps extends CallbackDeps, NextContactDeps {
  readonly storage: Storage;
  /** Called when something became due. */
  readonly onDue: () => void;
}

/** What services report about messages that they accepted. */
export interface Receipts {
  take(callback: Callback): Promise<CallbackAnswer>;
  /** Reports since the start, by what they came to. */
  totals(): Readonly<Record<string, number>>;
}

export function createReceipts(deps: ReceiptsDeps): Receipts {
  const totals = { delivered: 0, failed: 0, ignored: 0, unsigned: 0 };

  /** What a report changed; null when it changed nothing. */
  async function saved(
    callback: Callback,
    attempt: Parameters<typeof saveReceipt>[1],
    receipt: Receipt | null,
  ): Promise<Receipt | null> {
    if (receipt === null) return null;
    let isSaved = false;
    await callback.write(async (tx) => {
      const { organizationId, deliveryId } = attempt;
      isSaved = await saveReceipt(tx, attempt, receipt, callback.now);
      if (isSaved) await handleUndelivered(tx, deps, organizationId, [deliveryId], callback.now);
      tx.afterCommit(deps.onDue);
      return [];
    });
    return isSaved ? receipt : null;
  }

  return {
    async take(callback) {
      const reported = await reportedOfAttempt(deps, deps.storage.anonymous, callback);
      if (reported === 'UNSIGNED') totals.unsigned += 1;
      if (typeof reported === 'string') throw refusal(reported);
      const receipt = receiptOf(reported.channel, [...callback.query, ...callback.form]);
      const change = await saved(callback, reported.grant, receipt);
      totals[change === null ? 'ignored' : change === 'FAILED' ? 'failed' : 'delivered'] += 1;
      return { mediaType: 'text/plain', body: '' };
    },
    totals: () => totals,
  };
}

/** Null for a status on the way, and for one that is not known. */
function receiptOf(
  { receipts }: Pick<PhoneChannel, 'receipts'>,
  fields: Callback['query'],
): Receipt | null {
  const status = fields.find(([name]) => name === receipts?.statusField)?.[1];
  if (receipts === null || status === undefined) return null;
  if (receipts.failed.includes(status)) return 'FAILED';
  return receipts.delivered.includes(status) ? 'DELIVERED' : null;
}
