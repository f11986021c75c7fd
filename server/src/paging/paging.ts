import type { PageHooks } from '../notify/index.ts';
import type { Clock, Keyring, Log, Metrics, NewId } from '../runtime/index.ts';
import type { Storage } from '../storage/index.ts';
import {
  type ContactMethods,
  createContactMethods,
  createNotificationRules,
  createVerification,
  type NotificationRulesHandlers,
  type Verification,
} from './contacts/index.ts';
import { createExplanation, type RetrieveExplanation } from './explanation/index.ts';
import { createPages, type Pages } from './pages/index.ts';
import { createPolicies, type Policies } from './policies/index.ts';
import {
  createRotaCalendars,
  createRotaMails,
  createRotas,
  type RotaCalendars,
  type RotaMails,
  type Rotas,
} from './rotas/index.ts';
import {
  contactFollowers,
  contactFollowersOf,
  createGroupSubscriptions,
  type GroupSubscriptions,
  nextContactsOf,
  unfollowByAddress,
} from './subscriptions/index.ts';

export interface PagingDeps {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly log: Log;
  readonly newId: NewId;
  readonly keyring: Keyring;
  readonly metrics: Metrics;
  /** Whether the server has a mail server to send by. */
  readonly hasMail: boolean;
  /** Where people reach the server; null where they cannot. */
  readonly publicUrl: string | null;
  /** Called after the commit of whatever made something due, of events of the organization too. */
  readonly onChanged: (organizationId: string) => void;
  readonly failpoint: (name: string) => void;
  /** After how many minutes without a reading a Device is offline. */
  readonly onlineMinutes: number;
}

/** Who is on call, how people are contacted, and who is paged about alarms. */
export interface Paging {
  readonly contactMethods: ContactMethods;
  readonly verification: Verification;
  readonly notificationRules: NotificationRulesHandlers;
  readonly groupSubscriptions: GroupSubscriptions;
  readonly rotas: Rotas;
  readonly rotaCalendars: RotaCalendars;
  readonly rotaMails: RotaMails;
  readonly policies: Policies;
  readonly pages: Pages;
  /** What the fan-out of notifications calls. */
  readonly hooks: PageHooks;
  readonly retrieveExplanation: RetrieveExplanation;
}

export function createPaging(deps: PagingDeps): Paging {
  const pages = createPages(deps);
  meterPages(deps.metrics, pages);
  return {
    contactMethods: createContactMethods(deps),
    verification: createVerification(deps),
    notificationRules: createNotificationRules(deps),
    groupSubscriptions: createGroupSubscriptions(deps),
    rotas: createRotas(deps),
    rotaCalendars: createRotaCalendars(deps),
    rotaMails: createRotaMails(deps),
    policies: createPolicies(deps),
    pages,
    hooks: {
      ...{ join: pages.join, runDue: pages.runDue, deleteOld: pages.deleteOld },
      ...{ contactFollowers, contactFollowersOf, nextContactsOf, unfollowByAddress },
    },
    retrieveExplanation: createExplanation(deps),
  };
}

function meterPages(metrics: Metrics, pages: Pages): void {
  metrics.addGauge({
    name: 'fieldwatch_pages',
    help: 'Pages that are not resolved, by state',
    label: 'state',
    values: pages.countOpen,
  });
  metrics.addCounter({
    name: 'fieldwatch_phone_replies_total',
    help: 'Replies to pages by SMS, by what they came to',
    label: 'outcome',
    totals: pages.replies.totals,
  });
  metrics.addGauge({
    name: 'fieldwatch_escalation_steps',
    help: 'Steps of pages that are due and were not run yet, and those due for more than 5 seconds',
    label: 'state',
    values: pages.countDue,
  });
  metrics.addCounter({
    name: 'fieldwatch_escalation_steps_total',
    help: 'Steps of pages that were run, by whether that was more than 5 seconds late',
    label: 'timing',
    totals: pages.stepTotals,
  });
}
