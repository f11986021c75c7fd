import { Table, Text } from '@mantine/core';
import { useMemo } from 'react';
import { useActiveEvents } from '../../alarm-events/index.ts';
import { useLatest } from '../../live/index.ts';
import { type Asset, failureText, useRead } from '../../service/index.ts';
import { strings } from '../../strings/index.ts';
import { Loading, SeverityBadge, Timestamp } from '../../ui/index.ts';
import { LiveReading } from '../../variables/index.ts';
import { useBoardView } from '../board-view.tsx';
import { RecordLink } from '../record-link.tsx';
import type { Settings } from '../widget.ts';
import { Message } from './widget-message.tsx';
import classes from './widgets.module.css';

const words = strings.dashboards.widget;
const MAX_ASSETS = 1_000;

/** The active alarms of the selected severities, Assets and Variables. */
export function AlarmListWidget({ settings }: { settings: Settings }) {
  const { query, events } = useActiveEvents();
  const { isShared } = useBoardView();
  const { severities, assetIds, variableIds } = settings;
  if (query.error && !events) return <Message isFailure>{failureText(query.error)}</Message>;
  if (!events && query.isPending && query.isEnabled) return <Loading rows={2} />;
  if (!events) return <Message>{words.noAlarmPermission}</Message>;
  const shown = events.filter(
    (event) =>
      (severities.length === 0 || severities.includes(event.severity)) &&
      (assetIds.length === 0 || event.assetIds.some((id) => assetIds.includes(id))) &&
      (variableIds.length === 0 || variableIds.includes(event.deviceVariableId)),
  );
  const isForAll = assetIds.length === 0 && variableIds.length === 0;
  return (
    <div className={classes.scroll}>
      {isShared && isForAll ? (
        <Text size="xs" c="dimmed" mb={4}>
          {words.boardAlarmsOnly}
        </Text>
      ) : null}
      {shown.length === 0 ? (
        <Message>{words.noAlarms}</Message>
      ) : (
        <ul className={classes.list}>
          {shown.map(({ id, alarmName, severity, raisedDateTime }) => (
            <li key={id}>
              <span>
                <SeverityBadge severity={severity} />{' '}
                <RecordLink to={`/alarms/events/${id}`}>{alarmName}</RecordLink>
              </span>
              <Timestamp at={raisedDateTime} form="relative" />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

export function useAssets(ids: readonly string[]) {
  const query = useRead('listAssets', { query: { take: MAX_ASSETS } }, { staleMs: 60_000 });
  const { data } = query;
  const assets = useMemo(
    () => (data?.items ?? []).filter(({ id }) => ids.length === 0 || ids.includes(id)),
    [data, ids],
  );
  return { query, assets };
}

/** One row per Asset, one column per classification of its Variables. */
export function AssetTableWidget({ settings }: { settings: Settings }) {
  const { query, assets } = useAssets(settings.assetIds);
  const columns =
    settings.classificationTypes.length > 0
      ? settings.classificationTypes
      : [...new Set(assets.flatMap(({ variables }) => variables.map(({ name }) => name)))].slice(
          0,
          5,
        );
  const variableOf = ({ variables }: Asset, column: string) =>
    variables.find(
      ({ classificationType, name }) => classificationType === column || name === column,
    );
  // The head shows the Variable's name, which users know better than its classification.
  const titleOf = (column: string) =>
    assets.map((asset) => variableOf(asset, column)?.name).find(Boolean) ?? column;
  useLatest(
    assets.flatMap((asset) => columns.flatMap((column) => variableOf(asset, column)?.id ?? [])),
  );
  if (query.error) return <Message isFailure>{failureText(query.error)}</Message>;
  if (query.isPending) return <Loading rows={2} />;
  if (assets.length === 0) return <Message>{words.noAssets}</Message>;
  return (
    <div className={classes.scroll}>
      <Table aria-label={strings.assets.title} verticalSpacing={4}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{strings.assets.one}</Table.Th>
            {columns.map((column) => (
              <Table.Th key={column} scope="col">
                {titleOf(column)}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {assets.map((asset) => (
            <Table.Tr key={asset.id}>
              <Table.Td>
                <RecordLink to={`/assets/${asset.id}`}>{asset.name}</RecordLink>
              </Table.Td>
              {columns.map((column) => {
                const variable = variableOf(asset, column);
                return (
                  <Table.Td key={column}>
                    {variable ? <LiveReading variable={variable} /> : '–'}
                  </Table.Td>
                );
              })}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}

export function TextWidget({ settings }: { settings: Settings }) {
  return (
    <Text className={classes.scroll} style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
      {settings.text}
    </Text>
  );
}

export function UnknownWidget({ type }: { type: string }) {
  return <Message>{words.unknown(type)}</Message>;
}
