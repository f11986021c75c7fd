import type { Change } from '../../http/index.ts';
import type { Transaction } from '../../storage/index.ts';
import * as store from './store.ts';
import { changed } from './subscriptions.ts';

/** Somebody who unsubscribes an address of theirs follows the group no longer. */
export async function unfollowByAddress(
  tx: Transaction,
  group: store.GroupName,
  isMeant: (email: string) => boolean,
): Promise<Change[]> {
  const { organizationId, alarmGroupId } = group;
  const addresses = await store.listFollowerAddresses(tx, group);
  const userIds = new Set(
    addresses.filter(({ email }) => isMeant(email)).map(({ userId }) => userId),
  );
  const changes: Change[] = [];
  for (const userId of userIds) {
    const member = { organizationId, userId };
    await store.deleteFollower(tx, member, alarmGroupId);
    changes.push(...changed(member, alarmGroupId));
  }
  return changes;
}
