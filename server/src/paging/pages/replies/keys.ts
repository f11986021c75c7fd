import type { Callback, CallbackAnswer } from '../../../http/index.ts';
import {
  announcement,
  attemptUrls,
  type CallbackDeps,
  farewell,
  findCall,
  phoneTextOf,
  refusal,
  reportedOfAttempt,
} from '../../../notify/index.ts';
import type { Storage } from '../../../storage/index.ts';
import { type AnswerDeps, type Answered, answerPage } from './answer.ts';
import type { Reply } from './parse.ts';

export interface KeysDeps extends AnswerDeps, CallbackDeps {
  readonly storage: Storage;
}

/** Answers to pages by the keys of a telephone, during a call. */
export type TakeKey = (callback: Callback) => Promise<CallbackAnswer>;

/** The announcement is said so often in one call. */
const MAX_ROUNDS = 3;
/** No call lasts longer. */
const MAX_CALL_MS = 3_600_000;

const WANTED: ReadonlyMap<string, Reply['wants']> = new Map([
  ['4', 'ACKNOWLEDGE'],
  ['6', 'ESCALATE'],
]);
const SAID = {
  ACKNOWLEDGE: 'The page is acknowledged. Goodbye.',
  ESCALATE: 'The page is escalated. Goodbye.',
  ENDED: 'This page has ended. Goodbye.',
  UNANSWERED: 'Goodbye.',
} as const;

const say = (body: string): CallbackAnswer => ({ mediaType: 'text/xml', body });

/** 4 acknowledges, 6 escalates, and anything else has the announcement repeated. */
export function createTakeKey(deps: KeysDeps): TakeKey {
  return async (callback) => {
    const { query, form, now } = callback;
    const reported = await reportedOfAttempt(deps, deps.storage.anonymous, callback);
    if (typeof reported === 'string') throw refusal(reported);
    const { grant } = reported;
    const call = await findCall(deps.storage.anonymous, grant, now - MAX_CALL_MS);
    if (!call) return say(farewell(SAID.ENDED));
    const key = [...query, ...form].find(([name]) => name === 'Digits')?.[1] ?? '';
    const wants = WANTED.get(key);
    if (wants === undefined) {
      const round = roundOf(query);
      const keysUrl = attemptUrls(deps, grant)?.keysUrl ?? null;
      if (round >= MAX_ROUNDS || keysUrl === null) return say(farewell(SAID.UNANSWERED));
      return say(announcement(phoneTextOf(call.message), `${keysUrl}?round=${round + 1}`));
    }
    const { pageId, userId, phone } = call;
    const { organizationId } = grant;
    const answer = { organizationId, pageId, userId, phone, kind: 'VOICE' as const, wants, now };
    let outcome: Answered['outcome'] = 'REFUSED';
    await callback.write(async (tx) => {
      const answered = await answerPage(tx, deps, answer);
      outcome = answered.outcome;
      return answered.changes;
    });
    return say(farewell(SAID[isRefused(outcome) ? 'ENDED' : wants]));
  };
}

const isRefused = (outcome: Answered['outcome']) => outcome === 'REFUSED';

/** How often the announcement was said before this key; once in an address that does not say. */
function roundOf(query: Callback['query']): number {
  const round = query.find(([name]) => name === 'round')?.[1] ?? '1';
  return /^[1-9]$/.test(round) ? Number(round) : MAX_ROUNDS;
}
