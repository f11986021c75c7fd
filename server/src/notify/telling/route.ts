import type { Severity } from '@fieldwatch/contract';
import type { Notice } from './notice.ts';

/** Where a message goes: to an address or to a webhook. */
export type Destination = { readonly organizationId: string } & (
  | { readonly email: string; readonly emailFolded: string; readonly webhookId: null }
  | { readonly email: null; readonly emailFolded: null; readonly webhookId: string }
);

/** Who in a group is told, and of what. */
export interface Subscription {
  readonly alarmGroupId: string;
  readonly destination: Destination;
  /** None means all. */
  readonly severities: readonly Severity[];
}

/** What is to be told to one destination, in the order in which it happened. */
export interface Route {
  readonly destination: Destination;
  readonly notices: Notice[];
}

export function destinationKey({ organizationId, emailFolded, webhookId }: Destination): string {
  return `${organizationId} ${webhookId ?? `mailto:${emailFolded}`}`;
}

/** Each notice to everyone in its group who asked for its severity, once. */
export function routesOf(
  notices: readonly Notice[],
  subscriptions: readonly Subscription[],
): Route[] {
  const ofGroup = new Map<string, Subscription[]>();
  for (const each of subscriptions) {
    const known = ofGroup.get(each.alarmGroupId);
    if (known) known.push(each);
    else ofGroup.set(each.alarmGroupId, [each]);
  }
  const routes = new Map<string, Route>();
  for (const notice of notices) {
    const { alarmGroupId, severity } = notice.event;
    for (const { destination, severities } of ofGroup.get(alarmGroupId ?? '') ?? []) {
      if (destination.organizationId !== notice.organizationId) continue;
      if (severities.length > 0 && !severities.includes(severity)) continue;
      const key = destinationKey(destination);
      const route = routes.get(key) ?? { destination, notices: [] };
      route.notices.push(notice);
      routes.set(key, route);
    }
  }
  return [...routes.values()];
}
