import { Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import {
  IconBroadcast,
  IconCircleCheck,
  IconInbox,
  IconPlugConnectedX,
  IconPower,
} from '../icons/index.ts';
import { type LorawanNetwork, useRead } from '../service/index.ts';
import { useSession } from '../session/index.ts';
import { strings, lorawan as texts } from '../strings/index.ts';
import {
  type Column,
  CopyField,
  countText,
  createdColumn,
  Loaded,
  Panel,
  RecordTable,
  StateBadge,
  Timestamp,
  useBulkActions,
  useList,
} from '../ui/index.ts';
import { LorawanNetworkForm } from './lorawan-network-form.tsx';
import { SensorCreation, type UnknownSensor } from './lorawan-sensor-creation.tsx';
import { RecordList, useListFilters } from './record-list.tsx';

const words = texts.networks;

/** A new network shows its outcome without a reload. */
const REFRESH_MS = 5_000;
const MAX_UNKNOWN = 50;

const LOOKS = {
  INACTIVE: { tone: 'plain', icon: <IconPower aria-hidden /> },
  CONNECTED: { tone: 'good', icon: <IconCircleCheck aria-hidden /> },
  RECEIVING: { tone: 'good', icon: <IconCircleCheck aria-hidden /> },
  WAITING: { tone: 'plain', icon: <IconInbox aria-hidden /> },
  FAILED: { tone: 'high', icon: <IconPlugConnectedX aria-hidden /> },
} as const;

function stateOf({ isActive, ingest, state }: LorawanNetwork): keyof typeof LOOKS {
  if (!isActive) return 'INACTIVE';
  if (ingest === 'MQTT') return state.isConnected ? 'CONNECTED' : 'FAILED';
  return state.lastEventDateTime === null ? 'WAITING' : 'RECEIVING';
}

const columns: readonly Column<LorawanNetwork>[] = [
  { head: words.name, cell: ({ name }) => name, sortKey: 'NAME', value: ({ name }) => name },
  {
    head: words.kind,
    cell: ({ kind, ingest }) => `${words.kinds[kind]} · ${words.ingests[ingest]}`,
    sortKey: 'KIND',
    value: ({ kind }) => words.kinds[kind],
  },
  {
    head: words.state,
    cell: (network) => <State network={network} />,
    sortKey: 'STATE',
    value: (network) => words.states[stateOf(network)],
  },
  {
    head: words.lastEvent,
    cell: ({ state }) =>
      state.lastEventDateTime === null ? words.never : <Timestamp at={state.lastEventDateTime} />,
    sortKey: 'LAST_EVENT',
    firstDirection: 'descending',
    value: ({ state }) => state.lastEventDateTime,
  },
  {
    head: words.events,
    cell: ({ state }) => countText(state.eventsPerMinute),
    sortKey: 'EVENTS',
    value: ({ state }) => state.eventsPerMinute,
  },
  createdColumn,
];

function State({ network }: { network: LorawanNetwork }) {
  const state = stateOf(network);
  const { tone, icon } = LOOKS[state];
  const { lastError } = network.state;
  return (
    <Stack gap={2} align="flex-start">
      <StateBadge tone={tone} icon={icon}>
        {words.states[state]}
      </StateBadge>
      {lastError === null ? null : (
        <Text size="xs" c="dimmed">
          {lastError}
        </Text>
      )}
    </Stack>
  );
}

/** Network servers of LoRaWAN, and the sensors that sent through them and are no Devices. */
export function LorawanNetworks() {
  const { position, inputOf, ...filters } = useListFilters();
  const { activation } = useBulkActions();
  const list = useList({
    name: 'lorawan',
    operation: 'listLorawanNetworks',
    inputOf,
    columns,
    refetchIntervalMs: REFRESH_MS,
    ...position,
  });
  const networks = useRead('listLorawanNetworks', { query: {} }, { refetchIntervalMs: REFRESH_MS });
  return (
    <>
      <RecordList
        label={strings.administration.tabs.lorawan}
        resource="LorawanNetwork"
        words={words}
        icon={<IconBroadcast />}
        list={list}
        filters={filters}
        isWide
        nameOf={({ name }) => name}
        form={(network, close) => <LorawanNetworkForm network={network} onClose={close} />}
        deletion="deleteLorawanNetwork"
        deletedBy={({ id }) => ({ networkId: id })}
        bulkActions={activation('updateLorawanNetwork', ({ id }: LorawanNetwork, body) => ({
          networkId: id,
          body,
        }))}
      />
      <Stack gap="md" mt="md">
        {(networks.data?.items ?? []).map((network) => (
          <NetworkPanel key={network.id} network={network} />
        ))}
      </Stack>
    </>
  );
}

interface UnknownRecord extends UnknownSensor {
  readonly id: string;
  readonly lastDateTime: string;
  readonly count: number;
  readonly lastPayloadHex: string | null;
}

const unknownColumns: readonly Column<UnknownRecord>[] = [
  { head: words.devEui, cell: ({ devEui }) => devEui },
  { head: words.sensorName, cell: ({ name }) => name ?? '' },
  { head: words.payload, cell: ({ lastPayloadHex }) => lastPayloadHex ?? '' },
  { head: words.lastEvent, cell: ({ lastDateTime }) => <Timestamp at={lastDateTime} /> },
  { head: words.count, cell: ({ count }) => countText(count) },
];

/** A button in each row, for those who may create Devices. */
const creationColumn = (onCreate: (sensor: UnknownSensor) => void): Column<UnknownRecord> => ({
  head: texts.sensor.create,
  cell: (sensor) => (
    <Button
      size="compact-sm"
      variant="light"
      aria-label={texts.sensor.createOf(sensor.devEui)}
      onClick={() => onCreate(sensor)}
    >
      {texts.sensor.create}
    </Button>
  ),
});

function NetworkPanel({ network }: { network: LorawanNetwork }) {
  const { organization, may } = useSession();
  const [created, setCreated] = useState<UnknownSensor | null>(null);
  const isAllowed = may('CreateDevice') && may('UpdateDevice');
  const query = useRead(
    'listUnknownLorawanDevices',
    { networkId: network.id, query: { take: MAX_UNKNOWN } },
    { refetchIntervalMs: REFRESH_MS },
  );
  const path = `/primary/v1/${organization.id}/lorawan-networks/${network.id}/events`;
  const title = `${network.name}: ${words.unknown}`;
  return (
    <Panel title={title}>
      {network.ingest === 'WEBHOOK' ? (
        <CopyField label={words.ingests.WEBHOOK} value={`${window.location.origin}${path}`} />
      ) : (
        <CopyField label={words.probe} value={`fieldwatch lorawan-probe --network ${network.id}`} />
      )}
      <Loaded query={query}>
        {({ items }) => (
          <>
            <Text size="sm" c="dimmed" my="xs">
              {items.length === 0 ? words.unknownNone : words.unknownHint}
            </Text>
            {items.length === 0 ? null : (
              <RecordTable
                label={title}
                columns={
                  isAllowed ? [...unknownColumns, creationColumn(setCreated)] : unknownColumns
                }
                records={items.map((each) => ({ ...each, id: each.devEui }))}
              />
            )}
          </>
        )}
      </Loaded>
      <SensorCreation network={network} sensor={created} onClose={() => setCreated(null)} />
    </Panel>
  );
}
