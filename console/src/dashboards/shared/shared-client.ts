import { type Client, FieldwatchError, type LiveEvent } from '@fieldwatch/client';
import type { OperationId, SharedDashboard, SharedState } from '@fieldwatch/contract';
import type { SessionClient } from '../../session/index.ts';
import {
  alarmRecord,
  assetRecord,
  deviceRecord,
  eventRecord,
  locationRecord,
  variableRecord,
} from './shared-records.ts';

/** Why a shared board is not shown any more. */
export type EndReason = 'revoked' | 'unavailable';

export interface SharedClientDeps {
  readonly client: Pick<Client, 'request' | 'retrieveSharedState'>;
  readonly board: () => SharedDashboard;
  /** The board has changed, so its records are read again. */
  readonly onChanged: () => Promise<void>;
  readonly onEnded: (reason: EndReason) => void;
  readonly pause: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
}

/** How often values and alarms are read. */
const POLL_MS = 2_000;
const RETRY_MS = 5_000;
const HEARTBEAT_SECONDS = 15;

/** The end of the link that a failure means; null for one that passes. */
export function endOf(error: unknown): EndReason | null {
  if (!(error instanceof FieldwatchError)) return null;
  if (error.status === 401 || error.status === 403) return 'revoked';
  return error.status === 404 ? 'unavailable' : null;
}

interface AnyInput {
  readonly variableId?: string;
  readonly assetId?: string;
  readonly deviceId?: string;
  readonly query?: { readonly ids?: readonly string[]; readonly locationIds?: readonly string[] };
  readonly body?: { readonly deviceVariableIds?: readonly string[] };
}

function notShared(): FieldwatchError {
  return new FieldwatchError({
    code: 'NOT_FOUND',
    status: 404,
    detail: 'This is not part of the shared board.',
    errors: [],
    requestId: null,
    retryAfterSeconds: null,
  });
}

function found<T>(record: T | undefined): T {
  if (record === undefined) throw notShared();
  return record;
}

const listed = <T>(items: readonly T[]) => ({ count: items.length, items });

/** The replies to the reads of widgets, from what the link has delivered. */
function replyOf(
  id: OperationId,
  { variableId, assetId, deviceId, query, body }: AnyInput,
  { variables, assets, locations, thresholds }: SharedDashboard,
  state: SharedState | null,
): unknown {
  const watched = (ids: readonly string[] | undefined, one: string) =>
    ids === undefined || ids.length === 0 || ids.includes(one);
  switch (id) {
    case 'retrieveVariable':
      return variableRecord(found(variables.find((each) => each.id === variableId)));
    case 'retrieveDevice':
      return deviceRecord(found(variables.find((each) => each.deviceId === deviceId)));
    case 'retrieveAsset':
      return assetRecord(found(assets.find((each) => each.id === assetId)), variables);
    case 'listAssets': {
      const sites = query?.locationIds;
      const here = assets.filter(({ locationId }) => !sites || sites.includes(locationId ?? ''));
      return listed(here.map((asset) => assetRecord(asset, variables)));
    }
    case 'listLocations':
      return listed(locations.map(locationRecord));
    case 'listLatestValues':
      return {
        items: (state?.values ?? []).filter((each) => watched(query?.ids, each.variableId)),
      };
    case 'searchAlarms': {
      const ids = body?.deviceVariableIds;
      return listed(thresholds.filter((each) => watched(ids, each.variableId)).map(alarmRecord));
    }
    case 'listAlarmHistory': {
      const ids = body?.deviceVariableIds;
      const alarms = (state?.alarms ?? []).filter((each) => watched(ids, each.variableId));
      return listed(alarms.map(eventRecord));
    }
    default:
      throw notShared();
  }
}

/**
 * Answers the reads of widgets with the three operations of a share link. Whatever else a widget
 * asks for is refused here as the service would.
 */
export function createSharedClient(deps: SharedClientDeps): SessionClient {
  let state: SharedState | null = null;

  async function readState(signal: AbortSignal | undefined): Promise<SharedState> {
    state = await deps.client.retrieveSharedState(signal ? { signal } : {});
    if (state.revision !== deps.board().revision) await deps.onChanged();
    return state;
  }

  return {
    async request(id, input: object, options?: object) {
      if (id === 'listManyReadings') {
        const { query } = input as { query: never };
        return await deps.client.request('listSharedReadings', { query }, (options ?? {}) as never);
      }
      if (id === 'listLatestValues' && state === null) await readState(undefined);
      return { body: replyOf(id, input as AnyInput, deps.board(), state), etag: null };
    },
    download: () => Promise.reject(notShared()),
    followLive: (_input, { signal } = {}) => follow(deps, readState, signal),
  };
}

/** Values and alarms as events, until the link ends or the page is left. */
async function* follow(
  { onEnded, pause }: SharedClientDeps,
  readState: (signal: AbortSignal | undefined) => Promise<SharedState>,
  signal: AbortSignal | undefined,
): AsyncGenerator<LiveEvent, void> {
  let isReady = false;
  let alarms = '';
  while (!signal?.aborted) {
    let waitMs = POLL_MS;
    try {
      const state = await readState(signal);
      if (!isReady)
        yield { type: 'ready', id: null, data: { heartbeatSeconds: HEARTBEAT_SECONDS } };
      isReady = true;
      const items = state.values.map((value) => ({ ...value, deviceId: '' }));
      if (items.length > 0) yield { type: 'readings', id: null, data: items };
      const now = JSON.stringify(state.alarms);
      if (now !== alarms)
        yield { type: 'missed', id: null, data: { values: 0, alarmEvents: true } };
      alarms = now;
    } catch (error) {
      if (signal?.aborted) return;
      const end = endOf(error);
      if (end) {
        onEnded(end);
        return;
      }
      isReady = false;
      waitMs = RETRY_MS;
      yield { type: 'lost', id: null, data: { error, retryInMs: RETRY_MS } };
    }
    await pause(waitMs, signal);
  }
}
