import type { ManagedKind } from '@fieldwatch/contract';

export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [key: string]: Json };

/** A record as a file has it: references are keys, and fields with their default are left out. */
export type Fields = Readonly<Record<string, Json>>;

/**
 * In the order in which records are created: each refers to earlier kinds only, but for the Dashboard of
 * an Asset and the escalation policy of an alarm group.
 */
export const KINDS = [
  'locations',
  'variableFolders',
  'devices',
  'variables',
  'webhooks',
  'rotas',
  'alarmGroups',
  'escalationPolicies',
  'alarms',
  'assets',
  'dashboards',
] as const;

export type Kind = (typeof KINDS)[number];

/** What a field may refer to. Users are no part of files: their emails stand for them. */
export type Referable = Kind | 'users';

/** Kinds that only users can read whole: drafts of Dashboards, and what names members. */
export const KINDS_FOR_USERS: readonly Kind[] = ['rotas', 'escalationPolicies', 'dashboards'];

/** The name of a kind on the server. */
export const MANAGED: Readonly<Record<Kind, ManagedKind>> = {
  locations: 'LOCATION',
  variableFolders: 'VARIABLE_FOLDER',
  devices: 'DEVICE',
  variables: 'VARIABLE',
  webhooks: 'WEBHOOK',
  rotas: 'ROTA',
  alarmGroups: 'ALARM_GROUP',
  escalationPolicies: 'ESCALATION_POLICY',
  alarms: 'ALARM',
  assets: 'ASSET',
  dashboards: 'DASHBOARD',
};

export interface FieldSpec {
  /** Its name in the interface. */
  readonly api: string;
  /** What it refers to; the value is the key of such a record, or a list of keys. */
  readonly refersTo?: Kind;
  /** The value of a field that is left out; absent for one that is required. */
  readonly default?: Json;
  /** Set when the record is created, and never changed. */
  readonly isFixed?: true;
  /** No field of the body that creates the record: it has an operation of its own. */
  readonly isSeparate?: true;
}

const required = (api: string): FieldSpec => ({ api });
const fixed = (api: string): FieldSpec => ({ api, isFixed: true });
const optional = (api: string, value: Json = null): FieldSpec => ({ api, default: value });
const reference = (api: string, refersTo: Kind): FieldSpec => ({ api, refersTo, default: null });
const separate = (api: string, value: Json): FieldSpec => ({
  ...optional(api, value),
  isSeparate: true,
});

/** The fields of each kind, in the order in which files have them. */
export const FIELDS: Readonly<Record<Kind, Readonly<Record<string, FieldSpec>>>> = {
  locations: {
    name: required('name'),
    description: optional('description'),
    address: optional('address'),
    latitude: optional('latitude'),
    longitude: optional('longitude'),
    timeZone: optional('timeZone'),
    parent: reference('parentId', 'locations'),
  },
  variableFolders: {
    name: required('name'),
    parent: reference('parentId', 'variableFolders'),
  },
  devices: {
    name: required('name'),
    type: fixed('type'),
    description: optional('description', ''),
    isActive: separate('isActive', true),
    onlineMinutes: separate('onlineMinutes', null),
    location: reference('locationId', 'locations'),
    parent: reference('parentDeviceId', 'devices'),
    configuration: optional('configuration'),
  },
  variables: {
    name: required('name'),
    topicPropertyPath: fixed('topicPropertyPath'),
    type: fixed('type'),
    unit: optional('unit'),
    isLoggingEnabled: optional('isLoggingEnabled', true),
    description: optional('description'),
    classificationType: optional('classificationType'),
    folder: reference('folderId', 'variableFolders'),
  },
  webhooks: {
    name: required('name'),
    url: required('url'),
    isActive: optional('isActive', true),
    format: optional('format', 'STANDARD'),
    destination: optional('destination'),
    template: optional('template'),
  },
  rotas: {
    name: required('name'),
    description: optional('description'),
    timeZone: required('timeZone'),
    sendsHandoffMail: optional('sendsHandoffMail', true),
    sendsWeeklySummary: optional('sendsWeeklySummary', false),
    layers: optional('layers', []),
  },
  alarmGroups: {
    name: required('name'),
    description: optional('description'),
    subscriptions: optional('subscriptions', []),
    escalationPolicy: { ...separate('escalationPolicyId', null), refersTo: 'escalationPolicies' },
    reminderMinutes: separate('reminderMinutes', null),
  },
  escalationPolicies: {
    name: required('name'),
    description: optional('description'),
    steps: required('steps'),
    repeat: optional('repeat', 0),
    acknowledgeTimeoutSeconds: optional('acknowledgeTimeoutSeconds'),
    groupSeconds: optional('groupSeconds', 60),
    groupBy: optional('groupBy', 'LOCATION'),
  },
  alarms: {
    name: required('name'),
    isActive: optional('isActive', true),
    variable: { api: 'deviceVariableId', refersTo: 'variables' },
    operator: required('operator'),
    thresholdValueNumber: optional('thresholdValueNumber'),
    thresholdValueString: optional('thresholdValueString'),
    thresholdValueBoolean: optional('thresholdValueBoolean'),
    severity: optional('severity', 'MEDIUM'),
    isAcknowledgeable: optional('isAcknowledgeable', false),
    delayProcessingSeconds: optional('delayProcessingSeconds'),
    deadband: optional('deadband'),
    clearDelaySeconds: optional('clearDelaySeconds'),
    alarmGroup: reference('alarmGroupId', 'alarmGroups'),
  },
  assets: {
    name: required('name'),
    description: optional('description'),
    classificationType: optional('classificationType', 'GENERIC'),
    classificationDetails: optional('classificationDetails'),
    location: reference('locationId', 'locations'),
    parent: reference('parentId', 'assets'),
    dashboard: reference('dashboardId', 'dashboards'),
    variables: { ...separate('variableIds', []), refersTo: 'variables' },
  },
  dashboards: {
    name: required('name'),
    isPublic: optional('isPublic', false),
    refreshIntervalSeconds: optional('refreshIntervalSeconds', 30),
    isPublished: separate('isPublished', false),
    configuration: optional('configuration', { version: 1, widgets: [] }),
  },
};

/** The built-in Variable of every Device; no Variable of a file has this key. */
export const ONLINE_KEY = 'online';

export interface Reference {
  readonly kind: Kind;
  readonly key: string;
}

interface Name {
  readonly kind: Referable;
  readonly key: string;
}

/** How plans and messages name a record. */
export function nameOf({ kind, key }: Name): string {
  return `${kind}/${key}`;
}

/** The key of the Device of a Variable. */
export function deviceKeyOf(variableKey: string): string {
  return variableKey.slice(0, variableKey.indexOf('/'));
}

export interface ConfigRecord extends Reference {
  readonly fields: Fields;
}
