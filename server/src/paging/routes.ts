import { operations } from '@fieldwatch/contract';
import type { Http, Serve } from '../http/index.ts';
import type { Paging } from './paging.ts';

export function pagingRoutes(
  serve: Serve,
  {
    contactMethods,
    verification,
    notificationRules,
    groupSubscriptions,
    rotas,
    rotaCalendars,
    policies,
    pages,
    retrieveExplanation,
  }: Paging,
): void {
  serve(operations.listContactMethods, contactMethods.list);
  serve(operations.createContactMethod, contactMethods.create);
  serve(operations.updateContactMethod, contactMethods.update);
  serve(operations.deleteContactMethod, contactMethods.delete);
  serve(operations.sendContactCode, verification.sendCode);
  serve(operations.verifyContactMethod, verification.verify);
  serve(operations.testContactMethod, verification.test);
  serve(operations.retrieveNotificationRules, notificationRules.retrieve);
  serve(operations.updateNotificationRules, notificationRules.update);
  serve(operations.previewNotificationRules, notificationRules.preview);
  serve(operations.listGroupSubscriptions, groupSubscriptions.list);
  serve(operations.createGroupSubscription, groupSubscriptions.create);
  serve(operations.deleteGroupSubscription, groupSubscriptions.delete);
  serve(operations.listRotas, rotas.list);
  serve(operations.retrieveRota, rotas.retrieve);
  serve(operations.createRota, rotas.create);
  serve(operations.updateRota, rotas.update);
  serve(operations.deleteRota, rotas.delete);
  serve(operations.listOnCall, rotas.listOnCall);
  serve(operations.retrieveOnCall, rotas.retrieveOnCall);
  serve(operations.listShifts, rotas.listShifts);
  serve(operations.createRotaCalendarLink, rotaCalendars.createLink);
  serve(operations.revokeRotaCalendarLink, rotaCalendars.revokeLink);
  serve(operations.readRotaCalendar, rotaCalendars.read);
  serve(operations.listEscalationPolicies, policies.list);
  serve(operations.retrieveEscalationPolicy, policies.retrieve);
  serve(operations.createEscalationPolicy, policies.create);
  serve(operations.updateEscalationPolicy, policies.update);
  serve(operations.deleteEscalationPolicy, policies.delete);
  serve(operations.retrieveNotificationExplanation, retrieveExplanation);
  serve(operations.listPages, pages.list);
  serve(operations.retrievePage, pages.retrieve);
  serve(operations.acknowledgePage, pages.acknowledge);
  serve(operations.escalatePage, pages.escalate);
  serve(operations.reassignPage, pages.reassign);
  serve(operations.resolvePage, pages.resolve);
  serve(operations.createTestPage, pages.createTest);
  serve(operations.showPageLink, pages.showLink);
  serve(operations.acknowledgePageByLink, pages.acknowledgeByLink);
}

/** Where the services of phone channels report what people answer. */
export function pagingCallbacks(
  { serveCallback }: Pick<Http, 'serveCallback'>,
  { pages }: Paging,
): void {
  serveCallback({ id: 'takeReply', path: '/p/{token}/replies', answer: pages.replies.take });
  serveCallback({ id: 'takeKey', path: '/p/{token}/keys', answer: pages.takeKey });
}
