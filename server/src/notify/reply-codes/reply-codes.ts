import { randomInt } from 'node:crypto';
import type { Transaction } from '../../storage/index.ts';
import { freeCode } from './free-code.ts';
import * as store from './store.ts';

/**
 * The code by which a person answers a page from a number, the same in all its messages. The target of
 * the number is locked, so that codes of a number are given out one after the other. Null while too
 * many pages are open at the number.
 */
export async function replyCodeFor(
  tx: Transaction,
  name: store.NumberName,
  { pageId, userId }: { readonly pageId: string; readonly userId: string },
  now: number,
): Promise<string | null> {
  const open = await store.listCodes(tx, name);
  const known = open.find((each) => each.pageId === pageId);
  if (known) {
    if (known.userId !== userId) await store.moveCode(tx, name, { code: known.code, userId });
    return known.code;
  }
  const code = freeCode(new Set(open.map((each) => each.code)), randomInt);
  if (code !== null) await store.insertCode(tx, name, { code, pageId, userId }, now);
  return code;
}
