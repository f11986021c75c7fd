import type { Operations } from '@fieldwatch/contract';
import type { Change, Handler } from '../../http/index.ts';
import { type Keyring, notFound } from '../../runtime/index.ts';
import type { Transaction } from '../../storage/index.ts';
import type { UnsubscribeUrl } from '../delivery/index.ts';
import { removeAddress } from '../groups/index.ts';
import { askPage, donePage } from './page.ts';
import { addressTag, grantOf, tokenOf, type UnsubscribeGrant } from './token.ts';

export interface UnsubscribeDeps {
  readonly keyring: Keyring;
  readonly publicUrl: string | null;
}

/** Lets the holder of an address end its mail without signing in, by a link that only its mail has. */
export interface Unsubscribe {
  readonly url: UnsubscribeUrl;
  readonly show: Handler<Operations['showUnsubscribe']>;
  readonly unsubscribe: Handler<Operations['unsubscribe']>;
}

export function createUnsubscribe({ keyring, publicUrl }: UnsubscribeDeps): Unsubscribe {
  const key = keyring.derive('unsubscribe');
  const required = (token: string): UnsubscribeGrant => {
    const grant = grantOf(key, token);
    if (!grant) throw notFound('unsubscribe link');
    return grant;
  };
  return {
    url({ organizationId, email, alarmGroupIds }) {
      if (publicUrl === null || alarmGroupIds.length === 0) return null;
      const tag = addressTag(key, organizationId, email);
      const token = tokenOf(key, { organizationId, addressTag: tag, alarmGroupIds });
      return `${publicUrl}/unsubscribe/${token}`;
    },
    async show({ params: { token } }) {
      required(token);
      return { body: askPage() };
    },
    async unsubscribe({ params: { token } }, { tx, now }) {
      return { body: donePage(), changes: await remove(tx, { key, grant: required(token), now }) };
    },
  };
}

async function remove(
  tx: Transaction,
  { key, grant, now }: { key: Buffer; grant: UnsubscribeGrant; now: number },
): Promise<Change[]> {
  const { organizationId } = grant;
  const isMeant = (email: string) => addressTag(key, organizationId, email) === grant.addressTag;
  const changes: Change[] = [];
  // In one order, so that two requests do not wait for each other.
  for (const alarmGroupId of [...grant.alarmGroupIds].sort()) {
    changes.push(...(await removeAddress(tx, { organizationId, alarmGroupId }, isMeant, now)));
  }
  return changes;
}
