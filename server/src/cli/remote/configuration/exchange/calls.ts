import { setTimeout as sleep } from 'node:timers/promises';
import { ConnectionError, FieldwatchError } from '@fieldwatch/client';
import type { OperationId } from '@fieldwatch/contract';
import type { Connection } from '../../connection.ts';
import type { Json, Kind } from '../model/index.ts';

interface KindCalls {
  /** The name of its id in paths. */
  readonly idName: string;
  readonly list: OperationId;
  readonly retrieve: OperationId;
  readonly create: OperationId;
  readonly update: OperationId;
  /** Deletes or archives it. */
  readonly remove: OperationId;
  readonly restore?: OperationId;
}

export const CALLS: Readonly<Record<Kind, KindCalls>> = {
  locations: {
    idName: 'locationId',
    list: 'listLocations',
    retrieve: 'retrieveLocation',
    create: 'createLocation',
    update: 'updateLocation',
    remove: 'deleteLocation',
  },
  variableFolders: {
    idName: 'folderId',
    list: 'listVariableFolders',
    retrieve: 'retrieveVariableFolder',
    create: 'createVariableFolder',
    update: 'updateVariableFolder',
    remove: 'deleteVariableFolder',
  },
  devices: {
    idName: 'deviceId',
    list: 'listDevices',
    retrieve: 'retrieveDevice',
    create: 'createDevice',
    update: 'updateDevice',
    remove: 'deleteDevice',
    restore: 'restoreDevice',
  },
  variables: {
    idName: 'variableId',
    list: 'listVariables',
    retrieve: 'retrieveVariable',
    create: 'createVariable',
    update: 'updateVariable',
    remove: 'deleteVariable',
  },
  webhooks: {
    idName: 'webhookId',
    list: 'listWebhooks',
    retrieve: 'retrieveWebhook',
    create: 'createWebhook',
    update: 'updateWebhook',
    remove: 'deleteWebhook',
  },
  rotas: {
    idName: 'rotaId',
    list: 'listRotas',
    retrieve: 'retrieveRota',
    create: 'createRota',
    update: 'updateRota',
    remove: 'deleteRota',
  },
  escalationPolicies: {
    idName: 'policyId',
    list: 'listEscalationPolicies',
    retrieve: 'retrieveEscalationPolicy',
    create: 'createEscalationPolicy',
    update: 'updateEscalationPolicy',
    remove: 'deleteEscalationPolicy',
  },
  alarmGroups: {
    idName: 'alarmGroupId',
    list: 'listAlarmGroups',
    retrieve: 'retrieveAlarmGroup',
    create: 'createAlarmGroup',
    update: 'updateAlarmGroup',
    remove: 'deleteAlarmGroup',
  },
  alarms: {
    idName: 'alarmId',
    list: 'searchAlarms',
    retrieve: 'retrieveAlarm',
    create: 'createAlarm',
    update: 'updateAlarm',
    remove: 'archiveAlarm',
    restore: 'restoreAlarm',
  },
  assets: {
    idName: 'assetId',
    list: 'listAssets',
    retrieve: 'retrieveAsset',
    create: 'createAsset',
    update: 'updateAsset',
    remove: 'deleteAsset',
  },
  dashboards: {
    idName: 'dashboardId',
    list: 'listDashboards',
    retrieve: 'retrieveDashboard',
    create: 'createDashboard',
    update: 'updateDashboard',
    remove: 'archiveDashboard',
    restore: 'restoreDashboard',
  },
};

export interface Reply {
  readonly body: Json;
  readonly etag: string | null;
}

export interface CallOptions {
  readonly idempotencyKey?: string;
  readonly ifMatch?: string;
}

/** Calls an operation that a table names; what is sent was checked against its schemas. */
export type Call = (
  operation: OperationId,
  input: Readonly<Record<string, unknown>>,
  options?: CallOptions,
) => Promise<Reply>;

const MAX_ATTEMPTS = 6;

/** A call that fails in passing is repeated; a repeated one has no further effect. */
export function callsOf({ client, organizationId }: Connection): Call {
  const request = client.request as (
    operation: OperationId,
    input: object,
    options?: CallOptions,
  ) => Promise<Reply>;
  return async (operation, input, options) => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await request(operation, { organizationId, ...input }, options);
      } catch (error) {
        if (!isPassing(error) || attempt === MAX_ATTEMPTS) throw error;
        const seconds = (error instanceof FieldwatchError && error.retryAfterSeconds) || 0;
        await sleep(Math.max(seconds * 1000, 250 * 2 ** attempt));
      }
    }
  };
}

function isPassing(error: unknown): boolean {
  if (error instanceof ConnectionError) return error.reason === 'TIMEOUT';
  return error instanceof FieldwatchError && (error.status === 429 || error.status >= 503);
}

/** Runs work on all items, a few at a time. The first failure ends it, after what is under way. */
export async function forEachOf<T>(
  items: readonly T[],
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = [...items];
  let failure: { readonly error: unknown } | undefined;
  const worker = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) {
      try {
        await work(item);
      } catch (error) {
        failure ??= { error };
        queue.length = 0;
      }
    }
  };
  await Promise.all(Array.from({ length: MAX_CONCURRENT_CALLS }, worker));
  if (failure) throw failure.error;
}

const MAX_CONCURRENT_CALLS = 8;
