import type { PhoneChannel } from '@fieldwatch/contract';
import type { Callback, CallbackAnswer } from '../../http/index.ts';
import type { Storage } from '../../storage/index.ts';
import type { NextContactDeps } from '../next-contact/index.ts';
import {
  attemptNamed,
  type CallbackDeps,
  refusal,
  reportedOfAttempt,
  reportedToChannel,
} from '../phone/index.ts';
import { type AttemptName, type Receipt, saveReceipt } from './store.ts';
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
    attempt: AttemptName | null,
    receipt: Receipt | null,
  ): Promise<Receipt | null> {
    if (attempt === null || receipt === null) return null;
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
      const fields = [...callback.query, ...callback.form];
      const reported = await reportedMessage(deps, callback, fields);
      if (reported === 'UNSIGNED') totals.unsigned += 1;
      if (typeof reported === 'string') throw refusal(reported);
      const receipt = receiptOf(reported.channel, fields);
      const change = await saved(callback, reported.attempt, receipt);
      totals[change === null ? 'ignored' : change === 'FAILED' ? 'failed' : 'delivered'] += 1;
      return { mediaType: 'text/plain', body: '' };
    },
    totals: () => totals,
  };
}

interface ReportedMessage {
  readonly channel: Pick<PhoneChannel, 'receipts'>;
  /** Null for a message that is not one of ours. */
  readonly attempt: AttemptName | null;
}

/** The message of a report: named by the address, or at the address of the channel by a field. */
async function reportedMessage(
  deps: ReceiptsDeps,
  callback: Callback,
  fields: Callback['query'],
): Promise<ReportedMessage | 'UNKNOWN' | 'UNSIGNED'> {
  const db = deps.storage.anonymous;
  const one = await reportedOfAttempt(deps, db, callback);
  if (one === 'UNSIGNED') return one;
  if (one !== 'UNKNOWN') return { channel: one.channel, attempt: one.grant };
  const all = await reportedToChannel(deps, db, callback);
  if (typeof all === 'string') return all;
  const { channel, grant } = all;
  const idField = channel.receipts?.idField;
  if (idField === undefined) return 'UNKNOWN';
  const named = attemptNamed(fieldOf(fields, idField) ?? '');
  return { channel, attempt: named && { organizationId: grant.organizationId, ...named } };
}

function fieldOf(fields: Callback['query'], wanted: string): string | undefined {
  return fields.find(([name]) => name === wanted)?.[1];
}

/** Null for a status on the way, and for one that is not known. */
function receiptOf(
  { receipts }: Pick<PhoneChannel, 'receipts'>,
  fields: Callback['query'],
): Receipt | null {
  const status = receipts === null ? undefined : fieldOf(fields, receipts.statusField);
  if (receipts === null || status === undefined) return null;
  if (receipts.failed.includes(status)) return 'FAILED';
  return receipts.delivered.includes(status) ? 'DELIVERED' : null;
}
