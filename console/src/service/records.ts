import type { Operations, ReplyBody, WrittenBody } from '@fieldwatch/contract';

type Item<Id extends keyof Operations> =
  ReplyBody<Operations[Id]> extends { items: readonly (infer I)[] } ? I : never;

/** The records of the API. */
export type Device = ReplyBody<Operations['retrieveDevice']>;
export type CreatedDevice = ReplyBody<Operations['createDevice']>;
export type DeviceCredentials = ReplyBody<Operations['rotateDeviceCredentials']>;
export type UnmatchedPath = Item<'listUnmatchedPaths'>;
export type DeviceIngest = ReplyBody<Operations['retrieveDeviceIngest']>;
export type Variable = ReplyBody<Operations['retrieveVariable']>;
export type FoundVariable = Item<'searchVariables'>;
export type VariableFolder = ReplyBody<Operations['retrieveVariableFolder']>;
export type Alarm = ReplyBody<Operations['retrieveAlarm']>;
export type AlarmAssignment = Item<'listAlarmAssignments'>;
export type AlarmGroup = ReplyBody<Operations['retrieveAlarmGroup']>;
export type Asset = ReplyBody<Operations['retrieveAsset']>;
export type Location = ReplyBody<Operations['retrieveLocation']>;
export type Dashboard = ReplyBody<Operations['retrieveDashboard']>;
export type ListedDashboard = Item<'listDashboards'>;
export type User = ReplyBody<Operations['retrieveUser']>;
export type ApiKey = ReplyBody<Operations['retrieveApiKey']>;
export type Webhook = ReplyBody<Operations['retrieveWebhook']>;
export type Heartbeat = ReplyBody<Operations['retrieveHeartbeat']>;
export type PhoneChannel = ReplyBody<Operations['retrievePhoneChannel']>;
export type HomeAssistantConnection = ReplyBody<Operations['retrieveHomeAssistantConnection']>;
export type LorawanNetwork = ReplyBody<Operations['retrieveLorawanNetwork']>;
export type LorawanDevice = ReplyBody<Operations['retrieveLorawanDevice']>;
export type Codec = ReplyBody<Operations['retrieveCodec']>;
export type ListedCodec = Item<'listCodecs'>;
export type AuditEntry = Item<'listAuditLog'>;
export type Node = Item<'listNodes'>;
export type LatestValue = Item<'listLatestValues'>;
export type ReadingValue = LatestValue['value'];

export type NewDevice = WrittenBody<Operations['createDevice']>;
export type NewAlarm = WrittenBody<Operations['createAlarm']>;
export type AlarmEvent = ReplyBody<Operations['retrieveAlarmEvent']>;
