import type { AuditEntry } from '../service/index.ts';
import { heartbeats, lorawan, phoneChannels, strings } from '../strings/index.ts';

const words = strings.administration.audit;

type Change = AuditEntry['changes'][number];

/** Which kind of record a field refers to. */
const REFERENCES: Readonly<Record<string, string>> = {
  locationId: 'Location',
  parentDeviceId: 'Device',
  deviceId: 'Device',
  deviceVariableId: 'Variable',
  variableId: 'Variable',
  alarmGroupId: 'AlarmGroup',
  folderId: 'VariableFolder',
  assetId: 'Asset',
  userId: 'User',
  dashboardId: 'Dashboard',
  webhookId: 'Webhook',
  codecId: 'Codec',
  networkId: 'LorawanNetwork',
  rotaId: 'Rota',
  escalationPolicyId: 'EscalationPolicy',
};

/** The kind of record that a field of a record refers to; undefined for a field with a plain value. */
export function referencedKind(resource: string, field: string): string | undefined {
  return field === 'parentId' ? resource : REFERENCES[field];
}

/** A field has the name of its label in the form. */
const FIELDS: Readonly<Record<string, string>> = {
  ...words.fields,
  isLoggingEnabled: strings.variables.form.logging,
  isAcknowledgeable: strings.alarms.form.acknowledgeable,
  delayProcessingSeconds: strings.alarms.form.delay,
};

/** The name of a field in words: `untilDateTime` is "Until", `deviceIds` is "Devices". */
export function fieldText(field: string): string {
  const known = FIELDS[field];
  if (known) return known;
  const spaced = field
    .replace(/^is(?=[A-Z])/, '')
    .replace(/Id(s?)$/, '$1')
    .replace(/DateTime$/, '')
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase();
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}

const ENUMERATIONS: Readonly<Record<string, string>> = {
  ...strings.severities,
  ...strings.alarms.operators,
  ...strings.devices.types,
  ...strings.administration.users.roles,
  ...lorawan.networks.kinds,
  ...heartbeats.kinds,
  ...phoneChannels.kinds,
};

/** Fields with one or several of a fixed set of constants; the texts of others stay as they are. */
const ENUMERATED = new Set([
  ...['kind', 'type', 'mode', 'state', 'status', 'format', 'ingest', 'method', 'groupBy'],
  ...['rotation', 'weekday', 'weekdays', 'handoffWeekday', 'provisioning', 'unless', 'channel'],
  ...['classificationType', 'rfRegion', 'severities'],
]);
const ACRONYMS = new Set(['MQTT', 'SMS', 'GET', 'POST', 'PUT']);

/** `ALARM_GROUP` is "Alarm group". */
function constantText(constant: string): string {
  if (ACRONYMS.has(constant)) return constant;
  const words = constant.replaceAll('_', ' ').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const ID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/;
const DATE_TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/** How numbers and times are shown. */
export interface ValueFormat {
  readonly number: (value: number) => string;
  readonly time: (ms: number) => string;
}

/** A value in words. Lists and nested records are counted rather than printed as JSON. */
export function valueText(value: unknown, format: ValueFormat, field = ''): string {
  if (value === null || value === undefined || value === '') return words.nothing;
  if (typeof value === 'boolean') return value ? words.yes : words.no;
  if (typeof value === 'number') return format.number(value);
  if (typeof value === 'string') {
    if (DATE_TIME.test(value)) return format.time(Date.parse(value));
    return ENUMERATIONS[value] ?? (ENUMERATED.has(field) ? constantText(value) : value);
  }
  if (Array.isArray(value)) {
    if (value.length === 0) return words.nothing;
    const texts = value.filter((each) => typeof each === 'string' && !ID.test(each));
    return texts.length === value.length && value.length <= MAX_LISTED
      ? texts.map((each) => valueText(each, format, field)).join(', ')
      : words.items(value.length);
  }
  const parts = Object.entries(value)
    .filter(([, each]) => each !== null && !(Array.isArray(each) && each.length === 0))
    .map(([name, each]) => `${fieldText(name)} ${valueText(each, format, name)}`);
  return parts.length > 0 ? parts.join(', ') : words.nothing;
}

const MAX_LISTED = 6;
/** Fields that say nothing to a person: the log has the time and the record. */
const HIDDEN = new Set([
  'id',
  'createdDateTime',
  'updatedDateTime',
  'onlineVariableId',
  'revision',
]);

const isEmpty = (value: unknown) =>
  value === null ||
  value === undefined ||
  value === '' ||
  value === false ||
  (Array.isArray(value) && value.length === 0);

/** The changes that a person reads: of a new or deleted record, only fields with a value. */
export function readableChanges(changes: readonly Change[]): readonly Change[] {
  return changes.filter(
    ({ field, from, to }) => !HIDDEN.has(field) && !(isEmpty(from) && isEmpty(to)),
  );
}

/** The name that the changes give the record: the new one, or the last one of a deleted record. */
export function nameInChanges(changes: readonly Change[]): string | undefined {
  const named = changes.find(({ field }) => field === 'name' || field === 'email');
  const name = named?.to ?? named?.from;
  return typeof name === 'string' ? name : undefined;
}
