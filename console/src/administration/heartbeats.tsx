import { Text } from '@mantine/core';
import { IconHeartbeat } from '../icons/index.ts';
import type { Heartbeat } from '../service/index.ts';
import { strings, heartbeats as words } from '../strings/index.ts';
import {
  type Column,
  numberText,
  StateBadge,
  Timestamp,
  type Tone,
  useBulkActions,
  useList,
} from '../ui/index.ts';
import { HeartbeatForm } from './heartbeat-form.tsx';
import { RecordList, useListFilters } from './record-list.tsx';

/** A new heartbeat is called within a second. */
const REFRESH_MS = 5_000;

type State = keyof typeof words.states;

const TONES: Readonly<Record<State, Tone>> = {
  disabled: 'plain',
  pending: 'plain',
  healthy: 'good',
  unhealthy: 'bad',
  refused: 'bad',
};

function stateOf({ isActive, isHealthy, lastError }: Heartbeat): State {
  if (!isActive) return 'disabled';
  if (isHealthy === null) return 'pending';
  if (!isHealthy) return 'unhealthy';
  return lastError === null ? 'healthy' : 'refused';
}

const kindOf = ({ kind }: Heartbeat) => words.kinds[kind];
const stateText = (heartbeat: Heartbeat) => words.states[stateOf(heartbeat)];

const columns: readonly Column<Heartbeat>[] = [
  { head: words.name, cell: ({ name }) => name, sortKey: 'NAME', value: ({ name }) => name },
  { head: words.kind, cell: kindOf, sortKey: 'KIND', value: kindOf },
  {
    head: words.every,
    cell: ({ everySeconds }) => words.everySeconds(numberText(everySeconds)),
    sortKey: 'EVERY',
    value: ({ everySeconds }) => everySeconds,
    isMinor: true,
  },
  {
    head: words.state,
    cell: (heartbeat) => (
      <StateBadge tone={TONES[stateOf(heartbeat)]}>{stateText(heartbeat)}</StateBadge>
    ),
    sortKey: 'STATE',
    value: stateText,
  },
  {
    head: words.lastSent,
    cell: ({ lastSentDateTime }) =>
      lastSentDateTime === null ? words.never : <Timestamp at={lastSentDateTime} />,
    sortKey: 'LAST_SENT',
    firstDirection: 'descending',
    value: ({ lastSentDateTime }) => lastSentDateTime,
  },
  {
    head: words.problem,
    cell: ({ lastError }) => <Text size="xs">{lastError}</Text>,
    sortKey: 'PROBLEM',
    value: ({ lastError }) => lastError,
  },
];

/** Services outside that notice when this server is silent. */
export function Heartbeats() {
  const { position, inputOf, ...filters } = useListFilters();
  const { activation } = useBulkActions();
  const list = useList({
    name: 'heartbeats',
    operation: 'listHeartbeats',
    inputOf,
    columns,
    refetchIntervalMs: REFRESH_MS,
    ...position,
  });
  return (
    <RecordList
      label={strings.administration.tabs.heartbeats}
      resource="Heartbeat"
      words={words}
      icon={<IconHeartbeat />}
      list={list}
      filters={filters}
      isWide
      nameOf={({ name }) => name}
      form={(heartbeat, close) => <HeartbeatForm heartbeat={heartbeat} onClose={close} />}
      deletion="deleteHeartbeat"
      deletedBy={({ id }) => ({ heartbeatId: id })}
      bulkActions={activation('updateHeartbeat', ({ id }: Heartbeat, body) => ({
        heartbeatId: id,
        body,
      }))}
    />
  );
}
