import { Select, Stack, Text } from '@mantine/core';
import { type Device, type LorawanDevice, useRead, useWrite } from '../service/index.ts';
import { useSession } from '../session/index.ts';
import { lorawan, strings } from '../strings/index.ts';
import {
  attempt,
  type Column,
  countText,
  Details,
  duration,
  Loaded,
  Panel,
  RecordTable,
  Timestamp,
} from '../ui/index.ts';

const words = lorawan.radio;
const REFRESH_MS = 10_000;
const MAX_OPTIONS = 200;

type Line = LorawanDevice['log'][number] & { readonly id: string };

const columns: readonly Column<Line>[] = [
  { head: words.time, cell: ({ dateTime }) => <Timestamp at={dateTime} /> },
  { head: words.level, cell: ({ level }) => level },
  { head: words.code, cell: ({ code }) => code },
  { head: words.text, cell: ({ text }) => text },
];

/** The network, the codec and the radio of a LoRaWAN sensor. */
export function RadioTab({ device }: { device: Device }) {
  const query = useRead(
    'retrieveLorawanDevice',
    { deviceId: device.id },
    { refetchIntervalMs: REFRESH_MS },
  );
  return (
    <Loaded query={query}>
      {(radio) => (
        <Stack gap="md">
          <Choices deviceId={device.id} radio={radio} />
          <Panel title={words.title}>
            <Details label={words.title} rows={rowsOf(radio)} />
          </Panel>
          <Panel title={words.log}>
            {radio.log.length === 0 ? (
              <Text size="sm" c="dimmed">
                {words.noLog}
              </Text>
            ) : (
              <RecordTable
                label={words.log}
                columns={columns}
                records={radio.log.map((each, index) => ({ ...each, id: `${index}` }))}
              />
            )}
          </Panel>
        </Stack>
      )}
    </Loaded>
  );
}

function rowsOf(radio: LorawanDevice) {
  const { lastUplink: last, uplinkIntervalSeconds: seconds, battery, lastJoinDateTime } = radio;
  return [
    [words.lastUplink, last ? <Timestamp key="at" at={last.dateTime} /> : words.never],
    [words.signal, last ? words.signalText(last.rssi, last.snr) : '–'],
    [words.sent, last ? words.sentText(last.spreadingFactor, last.frequencyMhz) : '–'],
    [words.frame, last ? countText(last.fCnt) : '–'],
    [words.gateways, last?.gatewayIds.join(', ') || '–'],
    [words.lost, countText(radio.lostUplinks24h)],
    [words.interval, seconds === null ? words.notKnown : duration(seconds * 1_000)],
    [words.battery, battery === null ? words.notKnown : words.percent(battery)],
    [words.joined, lastJoinDateTime ? <Timestamp key="join" at={lastJoinDateTime} /> : '–'],
  ] as const;
}

/** For those who may see networks and codecs; a change is saved at once. */
function Choices({ deviceId, radio }: { deviceId: string; radio: LorawanDevice }) {
  const { may } = useSession();
  const update = useWrite('updateLorawanDevice');
  const isAllowed = may('UpdateDevice') && may('ManageLorawan') && may('ManageCodecs');
  const paging = { query: { take: MAX_OPTIONS } };
  const networks = useRead('listLorawanNetworks', paging, { enabled: isAllowed });
  const codecs = useRead('listCodecs', paging, { enabled: isAllowed });
  if (!isAllowed) return null;
  const save = (body: Partial<Pick<LorawanDevice, 'networkId' | 'codecId'>>) =>
    void attempt(update.mutateAsync({ deviceId, body }), strings.ui.saved);
  const optionsOf = (items: readonly { readonly id: string; readonly name: string }[] = []) =>
    items.map(({ id, name }) => ({ value: id, label: name }));
  return (
    <Panel title={words.codec}>
      <Stack gap="sm">
        <Select
          label={words.codec}
          description={words.codecHint}
          placeholder={words.none}
          data={optionsOf(codecs.data?.items)}
          value={radio.codecId}
          onChange={(codecId) => save({ codecId })}
          clearable
          searchable
        />
        <Select
          label={words.network}
          description={words.networkHint}
          placeholder={words.none}
          data={optionsOf(networks.data?.items)}
          value={radio.networkId}
          onChange={(networkId) => save({ networkId })}
          clearable
          searchable
        />
      </Stack>
    </Panel>
  );
}
