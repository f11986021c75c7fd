import type { ContactKind } from '@fieldwatch/contract';
import { invalid, isUuid } from '../../runtime/index.ts';
import { requireReferences, type Transaction } from '../../storage/index.ts';
import * as store from './store.ts';

type Destination = Pick<store.NewMethod, 'address' | 'pushId' | 'webhookId'>;

const NONE: Destination = { address: null, pushId: null, webhookId: null };
const E164 = /^\+[1-9]\d{6,14}$/;
const EMAIL = /^[^\s@<>"(),:;\\[\]]+@[^\s@<>"(),:;\\[\]]+$/;

/** Where messages of a contact method go. Fails naming the address when it is none of its kind. */
export async function addressOf(
  tx: Transaction,
  member: store.MemberName,
  { kind, address }: { readonly kind: ContactKind; readonly address: string },
): Promise<Destination> {
  switch (kind) {
    case 'EMAIL':
      if (!EMAIL.test(address)) throw wrong('must be an email address');
      return { ...NONE, address };
    case 'SMS':
    case 'VOICE': {
      const number = address.replaceAll(/[\s()./-]/g, '');
      if (!E164.test(number)) {
        throw wrong('must be a phone number with its country code, such as +43 660 1234567');
      }
      return { ...NONE, address: number };
    }
    case 'WEB_PUSH': {
      const pushId = address.toLowerCase();
      if (!isUuid(pushId) || !(await store.hasPushSubscription(tx, member, pushId))) {
        throw wrong('must be the id of a web push subscription of the user');
      }
      return { ...NONE, pushId };
    }
    case 'CHAT': {
      const webhookId = address.toLowerCase();
      if (!isUuid(webhookId)) throw wrong('must be the id of a webhook to a chat');
      const reference = { path: 'address', table: 'webhooks' as const, id: webhookId };
      await requireReferences(tx, member.organizationId, [reference]);
      return { ...NONE, webhookId };
    }
  }
}

function wrong(message: string) {
  return invalid({ path: 'address', message });
}
