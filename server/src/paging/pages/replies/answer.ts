import type { PhoneKind } from '@fieldwatch/contract';
import type { Change } from '../../../http/index.ts';
import type { NewId } from '../../../runtime/index.ts';
import type { Transaction } from '../../../storage/index.ts';
import { acknowledgeLocked, escalateLocked } from '../handling.ts';
import { changesOf, requireDetails } from '../record.ts';
import { lockPage } from '../records/index.ts';
import type { Reply } from './parse.ts';
import { findOwner, hasEscalated } from './store.ts';

/** Services repeat a report whose answer they missed. */
const REPEATED_MS = 60_000;

export interface AnswerDeps {
  readonly newId: NewId;
  /** Called after the commit of whatever made something due, of events of the organization too. */
  readonly onChanged: (organizationId: string) => void;
}

/** What somebody asks for by telephone. */
export interface PhoneAnswer {
  readonly organizationId: string;
  readonly pageId: string;
  readonly userId: string;
  readonly phone: string;
  readonly kind: PhoneKind;
  readonly wants: Reply['wants'];
  readonly now: number;
}

export interface Answered {
  /**
   * Refused when nobody may answer: the number is no longer a verified one of theirs, they are no member
   * any more, or the page has ended. Repeated when they escalated it just now.
   */
  readonly outcome: 'DONE' | 'REPEATED' | 'REFUSED';
  readonly changes: readonly Change[];
}

/** Does to a page what the owner of a number asks for. */
export async function answerPage(
  tx: Transaction,
  { newId, onChanged }: AnswerDeps,
  answer: PhoneAnswer,
): Promise<Answered> {
  const { organizationId, pageId, userId, kind, wants, now } = answer;
  const page = await lockPage(tx, organizationId, pageId);
  const name = await findOwner(tx, organizationId, answer);
  if (!page || page.state === 'RESOLVED' || name === null) {
    return { outcome: 'REFUSED', changes: [] };
  }
  const by = kind === 'SMS' ? 'by SMS' : 'by call';
  const recent = { pageId, actor: name, detail: by, since: now - REPEATED_MS };
  if (wants === 'ESCALATE' && (await hasEscalated(tx, organizationId, recent))) {
    return { outcome: 'REPEATED', changes: [] };
  }
  const before = await requireDetails(tx, organizationId, pageId);
  const handler = { userId, name, now, by };
  if (wants === 'ACKNOWLEDGE') await acknowledgeLocked(tx, { newId }, page, handler);
  else await escalateLocked(tx, page, handler);
  tx.afterCommit(() => onChanged(organizationId));
  const after = await requireDetails(tx, organizationId, pageId);
  const actor = { kind: 'USER' as const, id: userId, name: `${name}, ${by}` };
  const changes = changesOf(organizationId, before, after).map((each) => ({ ...each, actor }));
  return { outcome: 'DONE', changes };
}
