import type { Callback, CallbackAnswer } from '../../../http/index.ts';
import {
  type CallbackDeps,
  findReplyCode,
  NO_ANSWER,
  refusal,
  reportedToChannel,
} from '../../../notify/index.ts';
import { type Clock, createRateLimit, notFound } from '../../../runtime/index.ts';
import type { Storage, Transaction } from '../../../storage/index.ts';
import { type AnswerDeps, type Answered, answerPage } from './answer.ts';
import { numberOf, parseReply, type Reply } from './parse.ts';
import { isKnownNumber } from './store.ts';

export interface RepliesDeps extends AnswerDeps, CallbackDeps {
  readonly storage: Storage;
  readonly clock: Clock;
}

/** Answers to pages by SMS. */
export interface Replies {
  take(callback: Callback): Promise<CallbackAnswer>;
  /** Replies since the start, by what they came to. */
  totals(): Readonly<Record<string, number>>;
}

/** Of one number: codes have four digits, and must not be found by trying. */
const WRONG_CODES = { limit: 10, windowMs: 3_600_000, maxKeys: 10_000 };

type Outcome =
  | 'acknowledged'
  | 'escalated'
  | 'repeated'
  | 'unreadable'
  | 'unknown_number'
  | 'wrong_code'
  | 'limited'
  | 'unsigned';

/**
 * Whatever a reply comes to, the service gets the same answer: it does not show which numbers and
 * codes there are.
 */
export function createReplies(deps: RepliesDeps): Replies {
  const wrongCodes = createRateLimit(deps.clock, WRONG_CODES);
  const totals: Record<Outcome, number> = {
    ...{ acknowledged: 0, escalated: 0, repeated: 0, unreadable: 0 },
    ...{ unknown_number: 0, wrong_code: 0, limited: 0, unsigned: 0 },
  };

  async function outcomeOf(
    callback: Callback,
    organizationId: string,
    { from, text }: { readonly from: string; readonly text: string },
  ): Promise<Outcome> {
    const phone = numberOf(from);
    const reply = parseReply(text);
    if (!phone || !(await isKnownNumber(deps.storage.anonymous, organizationId, phone))) {
      return 'unknown_number';
    }
    if (!reply) return 'unreadable';
    const key = `${organizationId} ${phone}`;
    if (!wrongCodes.peek(key).allowed) return 'limited';
    let outcome: Outcome = 'wrong_code';
    await callback.write(async (tx) => {
      const name = { organizationId, phone };
      const done = await answered(tx, deps, name, { reply, now: callback.now });
      outcome = done.outcome;
      return done.changes;
    });
    if (outcome === 'wrong_code') wrongCodes.hit(key);
    return outcome;
  }

  return {
    async take(callback) {
      const reported = await reportedToChannel(deps, deps.storage.anonymous, callback);
      if (reported === 'UNSIGNED') totals.unsigned += 1;
      if (typeof reported === 'string') throw refusal(reported);
      const { replies, organizationId, signature } = reported.channel;
      if (replies === null) throw notFound('callback address');
      const fields = [...callback.query, ...callback.form];
      const fieldOf = (wanted: string) => fields.find(([name]) => name === wanted)?.[1] ?? '';
      const sent = { from: fieldOf(replies.fromField), text: fieldOf(replies.textField) };
      totals[await outcomeOf(callback, organizationId, sent)] += 1;
      // What is answered would be sent to the number.
      return signature === 'TWILIO'
        ? { mediaType: 'text/xml', body: NO_ANSWER }
        : { mediaType: 'text/plain', body: '' };
    },
    totals: () => totals,
  };
}

async function answered(
  tx: Transaction,
  deps: AnswerDeps,
  name: { readonly organizationId: string; readonly phone: string },
  { reply: { code, wants }, now }: { readonly reply: Reply; readonly now: number },
): Promise<{ readonly outcome: Outcome; readonly changes: Answered['changes'] }> {
  const found = await findReplyCode(tx, name, code);
  if (!found) return { outcome: 'wrong_code', changes: [] };
  const { pageId, userId } = found;
  const answer = { ...name, pageId, userId, kind: 'SMS' as const, wants, now };
  const { outcome, changes } = await answerPage(tx, deps, answer);
  if (outcome === 'REFUSED') return { outcome: 'wrong_code', changes };
  if (outcome === 'REPEATED') return { outcome: 'repeated', changes };
  return { outcome: wants === 'ACKNOWLEDGE' ? 'acknowledged' : 'escalated', changes };
}
