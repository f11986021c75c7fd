import type { Operations } from '@fieldwatch/contract';
import type { Change, Handler } from '../../http/index.ts';
import { type Keyring, notFound } from '../../runtime/index.ts';
import type { Transaction } from '../../storage/index.ts';
import type { UnsubscribeUrl } from '../delivery/index.ts';
import type { PageHooks } from '../fan-out/index.ts';
import { removeAddress } from '../groups/index.ts';
import { askPage, donePage } from './page.ts';
import { addressTag, grantOf, tokenOf, type UnsubscribeGrant } from './token.ts';

export interface UnsubscribeDeps {
  readonly keyring: Keyring;
  readonly publicUrl: string | null;
  readonly pages: Pick<PageHooks, 'unfollowByAddress'>;
}

/** Lets the holder of an address end its mail without signing in, by a link that only its mail has. */
export interface Unsubscribe {
  readonly url: UnsubscribeUrl;
  readonly show: Handler<Operations['showUnsubscribe']>;
  readonly unsubscribe: Handler<Operations['unsubscribe']>;
}

export function createUnsubscribe({ keyring, publicUrl, pages }: UnsubscribeDeps): Unsubscribe {
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
      const changes = await remove(tx, { key, grant: required(token), now, pages });
      return { body: donePage(), changes };
    },
  };
}

async function remove(
  tx: Transaction,
  {
    key,
    grant,
    now,
    pages,
  }: Pick<UnsubscribeDeps, 'pages'> & { key: Buffer; grant: UnsubscribeGrant; now: number },
): Promise<Change[]> {
  const { organizationId } = grant;
  const isMeant = (email: string) => addressTag(key, organizationId, email) === grant.addressTag;
  const changes: Change[] = [];
  // In one order, so that two requests do not wait for each other.
  for (const alarmGroupId of [...grant.alarmGroupIds].sort()) {
    const group = { organizationId, alarmGroupId };
    changes.push(...(await removeAddress(tx, group, isMeant, now)));
    changes.push(...(await pages.unfollowByAddress(tx, group, isMeant)));
  }
  return changes;
}
