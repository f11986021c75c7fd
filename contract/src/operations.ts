import * as alarmAnalysis from './alarm-analysis.ts';
import * as alarmAssignments from './alarm-assignments.ts';
import * as alarmGroups from './alarm-groups.ts';
import * as alarmHistory from './alarm-history.ts';
import * as alarms from './alarms.ts';
import * as apiKeys from './api-keys.ts';
import * as assets from './assets.ts';
import * as auditLog from './audit-log.ts';
import * as classifications from './classifications.ts';
import * as codecs from './codecs.ts';
import * as contactMethods from './contact-methods.ts';
import * as contactVerification from './contact-verification.ts';
import * as dashboards from './dashboards.ts';
import * as deliveries from './deliveries.ts';
import * as deviceSearch from './device-search.ts';
import * as devices from './devices.ts';
import * as escalationPolicies from './escalation-policies.ts';
import * as groupSubscriptions from './group-subscriptions.ts';
import * as heartbeats from './heartbeats.ts';
import * as homeAssistant from './home-assistant.ts';
import * as ingest from './ingest.ts';
import * as invitations from './invitations.ts';
import * as live from './live.ts';
import * as locations from './locations.ts';
import * as lorawanDevices from './lorawan-devices.ts';
import * as lorawanNetworks from './lorawan-networks.ts';
import * as maintenance from './maintenance-windows.ts';
import * as managedResources from './managed-resources.ts';
import * as nodes from './nodes.ts';
import * as explanation from './notification-explanation.ts';
import * as notificationRules from './notification-rules.ts';
import * as onCall from './on-call.ts';
import * as onlineWindow from './online-window.ts';
import type { Operation } from './operation.ts';
import * as organization from './organization.ts';
import * as overview from './overview.ts';
import * as pages from './pages.ts';
import * as phoneChannels from './phone-channels.ts';
import * as prometheus from './prometheus.ts';
import * as readingTables from './reading-tables.ts';
import * as readings from './readings.ts';
import * as rotaCalendars from './rota-calendars.ts';
import * as rotas from './rotas.ts';
import * as service from './service.ts';
import * as sessions from './sessions.ts';
import * as shareLinks from './share-links.ts';
import * as signIn from './sign-in.ts';
import * as sites from './sites.ts';
import * as users from './users.ts';
import * as variableFolders from './variable-folders.ts';
import * as variables from './variables.ts';
import * as webPush from './web-push.ts';
import * as webhooks from './webhooks.ts';

/** Every operation of the service. What is not here cannot be called. */
export const operations = {
  listDevices: devices.listDevices,
  searchDevices: deviceSearch.searchDevices,
  retrieveDevice: devices.retrieveDevice,
  createDevice: devices.createDevice,
  updateDevice: devices.updateDevice,
  deleteDevice: devices.deleteDevice,
  archiveDevice: devices.archiveDevice,
  restoreDevice: devices.restoreDevice,
  rotateDeviceCredentials: devices.rotateDeviceCredentials,
  listOnlineWindows: onlineWindow.listOnlineWindows,
  retrieveOnlineWindow: onlineWindow.retrieveOnlineWindow,
  updateOnlineWindow: onlineWindow.updateOnlineWindow,
  listDevicesByCursor: devices.listDevicesByCursor,
  listVariables: variables.listVariables,
  searchVariables: variables.searchVariables,
  listDeviceVariables: variables.listDeviceVariables,
  retrieveVariable: variables.retrieveVariable,
  createVariable: variables.createVariable,
  updateVariable: variables.updateVariable,
  deleteVariable: variables.deleteVariable,
  listReadings: readings.listReadings,
  listManyReadings: readings.listManyReadings,
  listReadingStatistics: readingTables.listReadingStatistics,
  exportReadings: readingTables.exportReadings,
  listPrometheusValues: prometheus.listPrometheusValues,
  readPrometheusHistory: prometheus.readPrometheusHistory,
  listLatestValues: readings.listLatestValues,
  followLive: live.followLive,
  writeReadings: ingest.writeReadings,
  writePayload: ingest.writePayload,
  retrievePublishing: ingest.retrievePublishing,
  retrieveDeviceIngest: ingest.retrieveDeviceIngest,
  listUnmatchedPaths: ingest.listUnmatchedPaths,
  listDeadLetters: ingest.listDeadLetters,
  retrieveOverview: overview.retrieveOverview,
  listSites: sites.listSites,
  listVariableFolders: variableFolders.listVariableFolders,
  retrieveVariableFolder: variableFolders.retrieveVariableFolder,
  createVariableFolder: variableFolders.createVariableFolder,
  updateVariableFolder: variableFolders.updateVariableFolder,
  deleteVariableFolder: variableFolders.deleteVariableFolder,
  listClassifications: classifications.listClassifications,
  listAssets: assets.listAssets,
  retrieveAsset: assets.retrieveAsset,
  createAsset: assets.createAsset,
  updateAsset: assets.updateAsset,
  deleteAsset: assets.deleteAsset,
  bindVariable: assets.bindVariable,
  bindVariables: assets.bindVariables,
  listLocations: locations.listLocations,
  retrieveLocation: locations.retrieveLocation,
  createLocation: locations.createLocation,
  updateLocation: locations.updateLocation,
  deleteLocation: locations.deleteLocation,
  listDashboards: dashboards.listDashboards,
  retrieveDashboard: dashboards.retrieveDashboard,
  listDashboardHistories: dashboards.listDashboardHistories,
  retrieveDashboardHistory: dashboards.retrieveDashboardHistory,
  createDashboard: dashboards.createDashboard,
  updateDashboard: dashboards.updateDashboard,
  duplicateDashboard: dashboards.duplicateDashboard,
  archiveDashboard: dashboards.archiveDashboard,
  restoreDashboard: dashboards.restoreDashboard,
  publishDashboard: dashboards.publishDashboard,
  restoreDashboardHistory: dashboards.restoreDashboardHistory,
  listShareLinks: shareLinks.listShareLinks,
  createShareLink: shareLinks.createShareLink,
  retrieveShareLink: shareLinks.retrieveShareLink,
  revokeShareLink: shareLinks.revokeShareLink,
  retrieveSharedDashboard: shareLinks.retrieveSharedDashboard,
  retrieveSharedState: shareLinks.retrieveSharedState,
  listSharedReadings: shareLinks.listSharedReadings,
  searchAlarms: alarms.searchAlarms,
  retrieveAlarm: alarms.retrieveAlarm,
  createAlarm: alarms.createAlarm,
  updateAlarm: alarms.updateAlarm,
  archiveAlarm: alarms.archiveAlarm,
  restoreAlarm: alarms.restoreAlarm,
  shelveAlarm: alarms.shelveAlarm,
  unshelveAlarm: alarms.unshelveAlarm,
  listAlarmHistory: alarmHistory.listAlarmHistory,
  retrieveAlarmEvent: alarmHistory.retrieveAlarmEvent,
  listAlarmTimeline: alarmHistory.listAlarmTimeline,
  acknowledgeAlarmEvent: alarmHistory.acknowledgeAlarmEvent,
  acknowledgeAlarmEvents: alarmHistory.acknowledgeAlarmEvents,
  createAlarmEventNote: alarmHistory.createAlarmEventNote,
  listAlarmAssignments: alarmAssignments.listAlarmAssignments,
  assignAlarmEvents: alarmAssignments.assignAlarmEvents,
  listAlarmAssignees: alarmAssignments.listAlarmAssignees,
  backtestAlarm: alarmAnalysis.backtestAlarm,
  retrieveAlarmKpis: alarmAnalysis.retrieveAlarmKpis,
  listAlarmGroups: alarmGroups.listAlarmGroups,
  retrieveAlarmGroup: alarmGroups.retrieveAlarmGroup,
  createAlarmGroup: alarmGroups.createAlarmGroup,
  updateAlarmGroup: alarmGroups.updateAlarmGroup,
  deleteAlarmGroup: alarmGroups.deleteAlarmGroup,
  showUnsubscribe: alarmGroups.showUnsubscribe,
  unsubscribe: alarmGroups.unsubscribe,
  listContactMethods: contactMethods.listContactMethods,
  createContactMethod: contactMethods.createContactMethod,
  updateContactMethod: contactMethods.updateContactMethod,
  deleteContactMethod: contactMethods.deleteContactMethod,
  sendContactCode: contactVerification.sendContactCode,
  verifyContactMethod: contactVerification.verifyContactMethod,
  testContactMethod: contactVerification.testContactMethod,
  retrieveNotificationRules: notificationRules.retrieveNotificationRules,
  updateNotificationRules: notificationRules.updateNotificationRules,
  previewNotificationRules: notificationRules.previewNotificationRules,
  listGroupSubscriptions: groupSubscriptions.listGroupSubscriptions,
  createGroupSubscription: groupSubscriptions.createGroupSubscription,
  deleteGroupSubscription: groupSubscriptions.deleteGroupSubscription,
  listRotas: rotas.listRotas,
  retrieveRota: rotas.retrieveRota,
  createRota: rotas.createRota,
  updateRota: rotas.updateRota,
  deleteRota: rotas.deleteRota,
  listOnCall: onCall.listOnCall,
  retrieveOnCall: onCall.retrieveOnCall,
  listShifts: onCall.listShifts,
  createRotaCalendarLink: rotaCalendars.createRotaCalendarLink,
  revokeRotaCalendarLink: rotaCalendars.revokeRotaCalendarLink,
  readRotaCalendar: rotaCalendars.readRotaCalendar,
  listMaintenanceWindows: maintenance.listMaintenanceWindows,
  retrieveMaintenanceWindow: maintenance.retrieveMaintenanceWindow,
  createMaintenanceWindow: maintenance.createMaintenanceWindow,
  updateMaintenanceWindow: maintenance.updateMaintenanceWindow,
  endMaintenanceWindow: maintenance.endMaintenanceWindow,
  deleteMaintenanceWindow: maintenance.deleteMaintenanceWindow,
  listEscalationPolicies: escalationPolicies.listEscalationPolicies,
  retrieveEscalationPolicy: escalationPolicies.retrieveEscalationPolicy,
  createEscalationPolicy: escalationPolicies.createEscalationPolicy,
  updateEscalationPolicy: escalationPolicies.updateEscalationPolicy,
  deleteEscalationPolicy: escalationPolicies.deleteEscalationPolicy,
  listHeartbeats: heartbeats.listHeartbeats,
  retrieveHeartbeat: heartbeats.retrieveHeartbeat,
  createHeartbeat: heartbeats.createHeartbeat,
  updateHeartbeat: heartbeats.updateHeartbeat,
  deleteHeartbeat: heartbeats.deleteHeartbeat,
  listPages: pages.listPages,
  retrieveNotificationExplanation: explanation.retrieveNotificationExplanation,
  retrievePage: pages.retrievePage,
  acknowledgePage: pages.acknowledgePage,
  escalatePage: pages.escalatePage,
  reassignPage: pages.reassignPage,
  resolvePage: pages.resolvePage,
  createTestPage: pages.createTestPage,
  showPageLink: pages.showPageLink,
  acknowledgePageByLink: pages.acknowledgePageByLink,
  retrieveWebPushKey: webPush.retrieveWebPushKey,
  listWebPushSubscriptions: webPush.listWebPushSubscriptions,
  createWebPushSubscription: webPush.createWebPushSubscription,
  deleteWebPushSubscription: webPush.deleteWebPushSubscription,
  listHomeAssistantConnections: homeAssistant.listHomeAssistantConnections,
  retrieveHomeAssistantConnection: homeAssistant.retrieveHomeAssistantConnection,
  createHomeAssistantConnection: homeAssistant.createHomeAssistantConnection,
  updateHomeAssistantConnection: homeAssistant.updateHomeAssistantConnection,
  deleteHomeAssistantConnection: homeAssistant.deleteHomeAssistantConnection,
  listLorawanNetworks: lorawanNetworks.listLorawanNetworks,
  retrieveLorawanNetwork: lorawanNetworks.retrieveLorawanNetwork,
  createLorawanNetwork: lorawanNetworks.createLorawanNetwork,
  updateLorawanNetwork: lorawanNetworks.updateLorawanNetwork,
  deleteLorawanNetwork: lorawanNetworks.deleteLorawanNetwork,
  listUnknownLorawanDevices: lorawanNetworks.listUnknownLorawanDevices,
  receiveLorawanEvent: lorawanNetworks.receiveLorawanEvent,
  retrieveLorawanDevice: lorawanDevices.retrieveLorawanDevice,
  updateLorawanDevice: lorawanDevices.updateLorawanDevice,
  listCodecs: codecs.listCodecs,
  retrieveCodec: codecs.retrieveCodec,
  createCodec: codecs.createCodec,
  updateCodec: codecs.updateCodec,
  deleteCodec: codecs.deleteCodec,
  tryCodec: codecs.tryCodec,
  listPhoneChannels: phoneChannels.listPhoneChannels,
  retrievePhoneChannel: phoneChannels.retrievePhoneChannel,
  createPhoneChannel: phoneChannels.createPhoneChannel,
  updatePhoneChannel: phoneChannels.updatePhoneChannel,
  deletePhoneChannel: phoneChannels.deletePhoneChannel,
  testPhoneChannel: phoneChannels.testPhoneChannel,
  listWebhooks: webhooks.listWebhooks,
  retrieveWebhook: webhooks.retrieveWebhook,
  createWebhook: webhooks.createWebhook,
  updateWebhook: webhooks.updateWebhook,
  deleteWebhook: webhooks.deleteWebhook,
  rotateWebhookSecret: webhooks.rotateWebhookSecret,
  testWebhook: webhooks.testWebhook,
  listWebhookDeliveries: deliveries.listWebhookDeliveries,
  redeliverWebhookDelivery: deliveries.redeliverWebhookDelivery,
  listDeliveries: deliveries.listDeliveries,
  retrieveSignInOptions: signIn.retrieveSignInOptions,
  createToken: signIn.createToken,
  beginProviderSignIn: signIn.beginProviderSignIn,
  createTokenByProvider: signIn.createTokenByProvider,
  refreshToken: signIn.refreshToken,
  revokeToken: signIn.revokeToken,
  redeemInvitation: signIn.redeemInvitation,
  listInvitations: invitations.listInvitations,
  acceptInvitation: invitations.acceptInvitation,
  declineInvitation: invitations.declineInvitation,
  listSessions: sessions.listSessions,
  endSessions: sessions.endSessions,
  endSession: sessions.endSession,
  changePassword: signIn.changePassword,
  retrieveMe: signIn.retrieveMe,
  retrieveOrganization: organization.retrieveOrganization,
  updateOrganization: organization.updateOrganization,
  listManagedResources: managedResources.listManagedResources,
  updateManagedResources: managedResources.updateManagedResources,
  listUsers: users.listUsers,
  retrieveUser: users.retrieveUser,
  createUser: users.createUser,
  updateUser: users.updateUser,
  deleteUser: users.deleteUser,
  endUserSessions: users.endUserSessions,
  listApiKeys: apiKeys.listApiKeys,
  retrieveApiKey: apiKeys.retrieveApiKey,
  createApiKey: apiKeys.createApiKey,
  updateApiKey: apiKeys.updateApiKey,
  deleteApiKey: apiKeys.deleteApiKey,
  listAuditLog: auditLog.listAuditLog,
  listNodes: nodes.listNodes,
  checkHealth: service.checkHealth,
  checkReadiness: service.checkReadiness,
  readMetrics: service.readMetrics,
} as const satisfies Readonly<Record<string, Operation>>;

export type Operations = typeof operations;
export type OperationId = keyof Operations;
