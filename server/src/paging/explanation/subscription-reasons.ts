import type { NotificationReason } from '@fieldwatch/contract';
import { destinationKey, recipientsOf, type Subscription, toPush } from '../../notify/index.ts';
import { fold } from '../../runtime/index.ts';
import type { BrowserFacts, Facts } from './facts.ts';

/**
 * What the alarm group and the browsers of the person have to do with the event. Whether a
 * subscription wants it is decided by the function that the fan-out uses.
 */
export function subscriptionReasons(facts: Facts): NotificationReason[] {
  const { organizationId, event, group, subscriptions } = facts;
  const browsers = facts.browsers.map((browser) => [browser, ofBrowser(facts, browser)] as const);
  const all = [...subscriptions, ...browsers.map(([, subscription]) => subscription)];
  const wanted = recipientsOf([{ id: event.id, organizationId, event }], all);
  const keys = new Set(wanted.map(({ destination }) => destinationKey(destination)));
  const isWanted = ({ destination }: Subscription) => keys.has(destinationKey(destination));
  return [
    ...(group ? groupReasons(facts, group.name, isWanted) : [noGroup(facts)]),
    ...browsers.map(([{ name, severities }, subscription]): NotificationReason => {
      return isWanted(subscription)
        ? { code: 'BROWSER', name }
        : { code: 'BROWSER_SEVERITY_NOT_WANTED', name, severities: [...severities] };
    }),
  ];
}

function noGroup({ event: { alarmGroupId } }: Facts): NotificationReason {
  return { code: alarmGroupId === null ? 'NO_ALARM_GROUP' : 'ALARM_GROUP_DELETED' };
}

/** Browsers get the events of all groups and of none. */
function ofBrowser({ organizationId }: Facts, { pushId, severities }: BrowserFacts): Subscription {
  return { alarmGroupId: null, destination: toPush(organizationId, pushId), severities };
}

function groupReasons(
  { person, wishes, subscriptions, isFollowing }: Facts,
  name: string,
  isWanted: (subscription: Subscription) => boolean,
): NotificationReason[] {
  const addresses = wishes.methods.flatMap(({ kind, address }) =>
    kind === 'EMAIL' ? [fold(address)] : [],
  );
  const own = new Set([fold(person.email), ...addresses]);
  const reasons = subscriptions.flatMap((subscription): NotificationReason[] => {
    const { email: address, emailFolded } = subscription.destination;
    if (address === null || !own.has(emailFolded ?? '')) return [];
    if (isWanted(subscription)) return [{ code: 'IN_ALARM_GROUP', name, address }];
    const severities = [...subscription.severities];
    return [{ code: 'SEVERITY_NOT_WANTED', name, address, severities }];
  });
  if (isFollowing) reasons.push({ code: 'FOLLOWS_ALARM_GROUP', name });
  return reasons.length > 0 ? reasons : [{ code: 'NOT_IN_ALARM_GROUP', name }];
}
