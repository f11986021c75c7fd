import { hash } from 'node:crypto';
import type { Operations, SharedDashboard, SharedState } from '@fieldwatch/contract';
import type { Caller, Handler } from '../../http/index.ts';
import { isoDateTime, notFound } from '../../runtime/index.ts';
import type { Queries, Storage } from '../../storage/index.ts';
import {
  type ActiveAlarmRow,
  findLocations,
  listActiveAlarms,
  listThresholds,
  loadScope,
  type Scope,
  type ThresholdRow,
} from './scope/index.ts';
import type { SharedBoardRow } from './share-link.ts';
import { findSharedBoard } from './store.ts';

export interface SharedBoardDeps {
  readonly storage: Storage;
  /** The reads of latest values and history, which are called with ids of the scope only. */
  readonly readings: {
    readonly latest: Handler<Operations['listLatestValues']>;
    readonly listMany: Handler<Operations['listManyReadings']>;
  };
}

/** The reads of a share link. Each determines the scope from the configuration in effect. */
export interface SharedBoard {
  readonly retrieve: Handler<Operations['retrieveSharedDashboard']>;
  readonly state: Handler<Operations['retrieveSharedState']>;
  readonly readings: Handler<Operations['listSharedReadings']>;
}

const MAX_THRESHOLDS = 2_000;
const MAX_ALARMS = 500;

export function createSharedBoard({ storage, readings }: SharedBoardDeps): SharedBoard {
  return {
    async retrieve(_input, { caller }) {
      const board = await boardOf(storage, caller);
      return { body: await recordOf(storage, board, await loadScope(storage, board)) };
    },
    async state(_input, context) {
      const board = await boardOf(storage, context.caller);
      const scope = await loadScope(storage, board);
      const { organizationId } = scope;
      const ids = scope.variables.map(({ id }) => id);
      const [latest, alarms, { revision }] = await Promise.all([
        readings.latest({ params: { organizationId }, query: { ids }, body: undefined }, context),
        listActiveAlarms(storage, organizationId, ids, MAX_ALARMS),
        recordOf(storage, board, scope),
      ]);
      const values = 'body' in latest ? latest.body.items : [];
      return { body: { revision, values, alarms: alarms.map((row) => alarmRecord(scope, row)) } };
    },
    async readings({ query, body }, context) {
      const scope = await loadScope(storage, await boardOf(storage, context.caller));
      const shown = new Set(scope.variables.map(({ id }) => id));
      const ids = query.ids.filter((id) => shown.has(id.toLowerCase()));
      const params = { organizationId: scope.organizationId };
      if (ids.length === 0) return { body: { items: [] } };
      const answer = await readings.listMany({ params, query: { ...query, ids }, body }, context);
      if ('csv' in answer || 'parquet' in answer) throw new Error('a file was not requested');
      return answer;
    },
  };
}

async function boardOf(db: Queries, { id }: Caller): Promise<SharedBoardRow> {
  const board = await findSharedBoard(db, id);
  if (!board) throw notFound('Dashboard');
  return board;
}

async function recordOf(
  db: Queries,
  board: SharedBoardRow,
  { organizationId, configuration, variables, assets }: Scope,
): Promise<SharedDashboard> {
  const ids = variables.map(({ id }) => id);
  const locationIds = new Set(assets.flatMap(({ locationId }) => locationId ?? []));
  const [thresholds, locations] = await Promise.all([
    listThresholds(db, organizationId, ids, MAX_THRESHOLDS),
    findLocations(db, organizationId, [...locationIds]),
  ]);
  const record = {
    name: board.name,
    refreshIntervalSeconds: board.refreshIntervalSeconds,
    expiresDateTime: board.expiresAt === null ? null : isoDateTime(board.expiresAt),
    configuration,
    variables: [...variables],
    assets: assets.map(({ variables: bound, ...asset }) => ({
      ...asset,
      variableIds: bound.map(({ id }) => id),
    })),
    locations,
    thresholds: thresholds.flatMap(thresholdRecord),
  };
  return { ...record, revision: hash('sha256', JSON.stringify(record), 'base64url').slice(0, 22) };
}

function thresholdRecord(row: ThresholdRow): SharedDashboard['thresholds'] {
  const { variableId, alarmName, operator, severity } = row;
  const value = row.thresholdNumber ?? row.thresholdString ?? row.thresholdBoolean;
  return value === null ? [] : [{ variableId, alarmName, operator, value, severity }];
}

/** Assets outside the scope are not named. */
function alarmRecord(
  { assets }: Scope,
  { assetIds, raisedAt, ...alarm }: ActiveAlarmRow,
): SharedState['alarms'][number] {
  const shown = new Set(assets.map(({ id }) => id));
  return {
    ...alarm,
    assetIds: assetIds.filter((id) => shown.has(id)),
    raisedDateTime: isoDateTime(raisedAt),
  };
}
