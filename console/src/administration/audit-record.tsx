import type { OperationId } from '@fieldwatch/contract';
import { Link } from '@tanstack/react-router';
import { isGone, useRead } from '../service/index.ts';
import { strings } from '../strings/index.ts';

interface Kind {
  readonly operation: OperationId;
  readonly parameter: string;
  /** The page of a record, or the list that has it. */
  readonly href: (id: string) => string;
}

const listed = (tab: string) => () => `/administration/${tab}`;

/** Records that the console can name. */
const KINDS: Readonly<Record<string, Kind>> = {
  Device: { operation: 'retrieveDevice', parameter: 'deviceId', href: (id) => `/devices/${id}` },
  Variable: {
    operation: 'retrieveVariable',
    parameter: 'variableId',
    href: (id) => `/variables/${id}`,
  },
  Alarm: {
    operation: 'retrieveAlarm',
    parameter: 'alarmId',
    href: (id) => `/alarms/configurations/${id}`,
  },
  AlarmEvent: {
    operation: 'retrieveAlarmEvent',
    parameter: 'eventId',
    href: (id) => `/alarms/events/${id}`,
  },
  Asset: { operation: 'retrieveAsset', parameter: 'assetId', href: (id) => `/assets/${id}` },
  Location: {
    operation: 'retrieveLocation',
    parameter: 'locationId',
    href: (id) => `/locations/${id}`,
  },
  Dashboard: {
    operation: 'retrieveDashboard',
    parameter: 'dashboardId',
    href: (id) => `/dashboards/${id}`,
  },
  AlarmGroup: {
    operation: 'retrieveAlarmGroup',
    parameter: 'alarmGroupId',
    href: listed('alarm-groups'),
  },
  VariableFolder: {
    operation: 'retrieveVariableFolder',
    parameter: 'folderId',
    href: listed('folders'),
  },
  Webhook: { operation: 'retrieveWebhook', parameter: 'webhookId', href: listed('webhooks') },
  PhoneChannel: {
    operation: 'retrievePhoneChannel',
    parameter: 'channelId',
    href: listed('phone-channels'),
  },
  HomeAssistantConnection: {
    operation: 'retrieveHomeAssistantConnection',
    parameter: 'connectionId',
    href: listed('home-assistant'),
  },
  LorawanNetwork: {
    operation: 'retrieveLorawanNetwork',
    parameter: 'networkId',
    href: listed('lorawan'),
  },
  Codec: { operation: 'retrieveCodec', parameter: 'codecId', href: listed('codecs') },
  MaintenanceWindow: {
    operation: 'retrieveMaintenanceWindow',
    parameter: 'maintenanceWindowId',
    href: (id) => `/alarms/maintenance/${id}`,
  },
  EscalationPolicy: {
    operation: 'retrieveEscalationPolicy',
    parameter: 'policyId',
    href: listed('escalation-policies'),
  },
  Heartbeat: {
    operation: 'retrieveHeartbeat',
    parameter: 'heartbeatId',
    href: listed('heartbeats'),
  },
  Rota: { operation: 'retrieveRota', parameter: 'rotaId', href: listed('rotas') },
  User: { operation: 'retrieveUser', parameter: 'userId', href: listed('users') },
  ApiKey: { operation: 'retrieveApiKey', parameter: 'apiKeyId', href: listed('api-keys') },
};

const RESOURCES: Readonly<Record<string, string>> = strings.administration.audit.resources;

const NAMES_STALE_MS = 60_000;

interface Props {
  readonly kind: string;
  readonly id: string;
  /** The name where the record is deleted or may not be read. */
  readonly fallback?: string | undefined;
}

/** The name of a record with a link to it. */
export function AuditRecord({ kind, id, fallback }: Props) {
  const known = KINDS[kind];
  const { operation, parameter } = known ?? { operation: 'retrieveDevice', parameter: 'deviceId' };
  const { data, error } = useRead(operation as 'retrieveDevice', { [parameter]: id } as never, {
    enabled: known !== undefined,
    staleMs: NAMES_STALE_MS,
    keepsMissing: true,
  });
  if (!known) return fallback ?? null;
  if (isGone(error)) {
    return (
      <>
        {fallback ?? RESOURCES[kind] ?? kind} {strings.ui.deletedRecord}
      </>
    );
  }
  return (
    <Link to={known.href(id)} className="linked">
      {nameOf(data) ?? fallback ?? id}
    </Link>
  );
}

function nameOf(record: object | undefined): string | undefined {
  const { name, email, alarmName, reason } = (record ?? {}) as Record<string, unknown>;
  const found = [name, email, alarmName, reason].find(
    (each) => typeof each === 'string' && each !== '',
  );
  return typeof found === 'string' ? found : undefined;
}
