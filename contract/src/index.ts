export { AlarmBacktest, AlarmKpis, MAX_BACKTEST_EVENTS } from './alarm-analysis.ts';
export { AlarmAssignee, AlarmAssignment } from './alarm-assignments.ts';
export { AlarmGroup, EmailSubscription, WebhookSubscription } from './alarm-groups.ts';
export {
  AlarmEvent,
  AlarmTimelineEntry,
  CLEARED_REASONS,
  type ClearedReason,
  type SuppressionKind,
} from './alarm-history.ts';
export {
  ALARM_OPERATORS,
  ALARM_STATUSES,
  Alarm,
  type AlarmOperator,
  type AlarmStatus,
  SEVERITIES,
  type Severity,
} from './alarms.ts';
export { ApiKey, IssuedApiKey } from './api-keys.ts';
export { classificationDetailsErrors, runningHoursVariableIds } from './asset-details.ts';
export { ASSET_TYPES, Asset, type AssetType, BINDING_ACTIONS } from './assets.ts';
export { type AuditCategory, AuditEntry } from './audit-log.ts';
export {
  type BoardAsset,
  EQUIPMENT_TYPES,
  type EquipmentWidgetType,
  equipmentOf,
  isEquipmentWidget,
  isTankLevel,
  referencesOf,
  resolvedWidgets,
} from './board-scope.ts';
export { BROKER_URL_RULE } from './broker-url.ts';
export { CLASSIFIED_ASSET_TYPES, Classification } from './classifications.ts';
export { Codec, CodecResult, ListedCodec } from './codecs.ts';
export {
  CONTACT_KINDS,
  type ContactKind,
  ContactMethod,
  MAX_CONTACT_METHODS,
} from './contact-methods.ts';
export {
  Dashboard,
  DashboardVersion,
  ListedDashboard,
  ListedDashboardVersion,
} from './dashboards.ts';
export {
  DELIVERY_CHANNELS,
  DELIVERY_STATES,
  Delivery,
  type DeliveryChannel,
  type DeliveryState,
  MESSAGE_TYPES,
} from './deliveries.ts';
export {
  DEVICE_TYPES,
  type DeviceType,
  GatewayConfiguration,
  LorawanConfiguration,
  RF_REGIONS,
  subBandError,
} from './device-configuration.ts';
export {
  DEVICE_SORTS,
  DEVICE_STATES,
  type DeviceSort,
  type DeviceState,
} from './device-search.ts';
export { CreatedDevice, Device, DeviceCredentials, deviceTypesOf } from './devices.ts';
export { ERROR_CODES, ERRORS, type ErrorCode } from './errors.ts';
export {
  ESCALATION_LIMITS,
  EscalationPolicy,
  type EscalationStep,
  type EscalationTarget,
  type EscalationWarning,
  PAGE_GROUPINGS,
  type PageGrouping,
  STEP_ENDS,
  type StepEnd,
} from './escalation-policies.ts';
export { failuresOf } from './failures.ts';
export { fold, foldEmail } from './fold.ts';
export { GroupSubscription, MAX_GROUP_SUBSCRIPTIONS } from './group-subscriptions.ts';
export {
  HEARTBEAT_KINDS,
  HEARTBEAT_LIMITS,
  Heartbeat,
  type HeartbeatKind,
} from './heartbeats.ts';
export {
  HOME_ASSISTANT_STATES,
  HomeAssistantConnection,
  MAX_HOME_ASSISTANT_LOCATIONS,
} from './home-assistant.ts';
export {
  DeadLetter,
  DeviceIngest,
  MAX_LISTED_REJECTIONS,
  Publishing,
  ReadingEntry,
  ReadingsReceipt,
  ReadingValues,
  UnmatchedPath,
} from './ingest.ts';
export {
  ALARM_CHANGES,
  type AlarmChange,
  LIVE_END_REASONS,
  LIVE_HEARTBEAT_SECONDS,
  LiveAlarm,
  LiveDevice,
  LiveEnd,
  type LiveEndReason,
  LiveMissed,
  LiveReadings,
  LiveReady,
} from './live.ts';
export { coordinatesError, Location } from './locations.ts';
export { LorawanDevice } from './lorawan-devices.ts';
export {
  LORAWAN_INGESTS,
  LORAWAN_NETWORK_KINDS,
  type LorawanIngest,
  LorawanNetwork,
  type LorawanNetworkKind,
  UnknownLorawanDevice,
} from './lorawan-networks.ts';
export {
  LORAWAN_PROVISIONINGS,
  type LorawanProvisioning,
  PROVISIONING_STATES,
  type ProvisioningState,
} from './lorawan-provisioning.ts';
export { MAX_WINDOW_MS, periodErrors, scheduleErrors } from './maintenance-schedule.ts';
export {
  MAINTENANCE_MODES,
  MAINTENANCE_STATES,
  type MaintenanceRecurrence,
  MaintenanceWindow,
} from './maintenance-windows.ts';
export {
  MANAGED_KEY_PART,
  MANAGED_KINDS,
  type ManagedKind,
  ManagedResource,
} from './managed-resources.ts';
export { NODE_STATES, Node, NodeLag, NodeLoad, type NodeState } from './nodes.ts';
export {
  NOTIFICATION_OUTCOMES,
  NOTIFICATION_REASONS,
  NotificationExplanation,
  type NotificationOutcome,
  type NotificationReason,
  type NotificationReasonCode,
} from './notification-explanation.ts';
export {
  type NotificationBand,
  NotificationRules,
  QUIET_SEVERITIES,
  QuietHours,
} from './notification-rules.ts';
export { MAX_SHIFT_DAYS, OnCall } from './on-call.ts';
export { OnlineWindow } from './online-window.ts';
export type {
  Access,
  Body,
  ColumnsBody,
  EventOf,
  Operation,
  Params,
  Query,
  ReplyBody,
  Tag,
  WrittenBody,
  WrittenQuery,
} from './operation.ts';
export { COLUMNS_MEDIA_TYPE, paramNames } from './operation.ts';
export { type OperationId, type Operations, operations } from './operations.ts';
export { Organization } from './organization.ts';
export { MAX_OFFLINE_DEVICES, Overview, OverviewWarning } from './overview.ts';
export {
  PAGE_LOG_KINDS,
  PAGE_STATES,
  Page,
  type PageDelivery,
  PageDetails,
  type PageEvent,
  type PageLogEntry,
  type PageLogKind,
  type PageState,
} from './pages.ts';
export {
  INTERFACE_PERMISSIONS,
  KEY_PERMISSIONS,
  type KeyPermission,
  PERMISSIONS,
  type Permission,
  ROLE_PERMISSIONS,
  ROLES,
  type Role,
} from './permissions.ts';
export {
  MAX_PHONE_HEADERS,
  PHONE_HEADER_PLACEHOLDERS,
  PHONE_KINDS,
  PHONE_PLACEHOLDERS,
  PHONE_URL_RULE,
  PhoneChannel,
  type PhoneKind,
  type PhonePlaceholder,
} from './phone-channels.ts';
export { PHONE_PRESETS, type PhonePreset } from './phone-presets.ts';
export { type FieldError, Problem } from './problem.ts';
export {
  MAX_EXPOSED_VARIABLES,
  MAX_REMOTE_READ_SAMPLES,
  MAX_REMOTE_READ_VARIABLES,
  type RemoteReadRequest,
} from './prometheus.ts';
export { MAX_WEIGHTED_READINGS, ReadingStatistics } from './reading-tables.ts';
export {
  BucketColumns,
  DEFAULT_READINGS_TAKE,
  LatestValues,
  MAX_BUCKETS,
  MAX_READINGS_IDS,
  MAX_READINGS_TAKE,
  MAX_READINGS_TOGETHER,
  ManyColumns,
  ManyReadings,
  RawColumns,
  RawReadings,
  ReadingBuckets,
  ReadingSegments,
  ReadingValue,
  SegmentColumns,
} from './readings.ts';
export { ROTATIONS, Rota, RotaLayer, RotaOverride } from './rotas.ts';
export { ARCHIVED_SCOPES, type ArchivedScope } from './schema.ts';
export { Session } from './sessions.ts';
export {
  IssuedShareLink,
  SHARE_SECRET_PREFIX,
  SharedDashboard,
  SharedState,
  ShareLink,
} from './share-links.ts';
export { type MapTiles, Me, Tokens } from './sign-in.ts';
export {
  MAX_SITE_CHANGES,
  MAX_SITE_VARIABLES_PER_CLASSIFICATION,
  SITE_CHANGES_HOURS,
  SITE_CLASSIFICATIONS,
  SITE_STATES,
  Site,
  SiteChange,
  type SiteChangeKind,
  type SiteState,
} from './sites.ts';
export { CreatedUser, User } from './users.ts';
export { VariableFolder } from './variable-folders.ts';
export {
  type FoundVariable,
  VARIABLE_SORTS,
  VARIABLE_TYPES,
  Variable,
  type VariableSort,
  type VariableType,
} from './variables.ts';
export { WEEKDAYS, type Weekday, WeeklyHours } from './wall-time.ts';
export { WebPushSubscription } from './web-push.ts';
export {
  TEMPLATE_CONTENT_TYPES,
  type TemplateContentType,
  WEBHOOK_FORMAT_FIELDS,
  WEBHOOK_FORMAT_URLS,
  WEBHOOK_FORMATS,
  WEBHOOK_PLACEHOLDERS,
  type WebhookFormat,
  type WebhookPlaceholder,
  type WebhookTemplate,
} from './webhook-formats.ts';
export { CreatedWebhook, WEBHOOK_URL_RULE, Webhook, WebhookSecret } from './webhooks.ts';
export {
  DashboardConfiguration,
  DashboardTemplate,
  DashboardWidget,
  GRID_COLUMNS,
  THRESHOLD_SOURCES,
  WIDGET_TYPES,
  WidgetThreshold,
  type WidgetType,
} from './widgets.ts';
