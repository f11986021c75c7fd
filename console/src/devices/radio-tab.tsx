import { Stack } from '@mantine/core';
import { type Device, type LorawanDevice, useRead, useWrite } from '../service/index.ts';
import { lorawan, strings } from '../strings/index.ts';
import {
  attempt,
  type Column,
  countText,
  Details,
  duration,
  Loaded,
  Panel,
  Timestamp,
} from '../ui/index.ts';
import { LatestPanel } from './latest-panel.tsx';
import { RadioChart } from './radio-chart.tsx';
import { type Choices, isGateway, RadioChoices, useMayChoose } from './radio-choices.tsx';

const words = lorawan.radio;
const REFRESH_MS = 10_000;

type Line = LorawanDevice['log'][number];

const columns: readonly Column<Line>[] = [
  { head: words.time, cell: ({ dateTime }) => <Timestamp at={dateTime} /> },
  { head: words.level, cell: ({ level }) => level },
  { head: words.code, cell: ({ code }) => code },
  { head: words.text, cell: ({ text }) => text },
];

/** The network, the codec and the radio of a LoRaWAN sensor, or the network of a gateway. */
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
          <SavedChoices device={device} radio={radio} />
          <Panel title={words.title}>
            <Details
              label={words.title}
              rows={isGateway(device) ? [registrationOf(radio)] : rowsOf(radio)}
            />
          </Panel>
          {isGateway(device) ? null : <RadioChart device={device} />}
          {isGateway(device) ? null : (
            <LatestPanel
              title={words.log}
              none={words.noLog}
              columns={columns}
              entries={radio.log}
            />
          )}
        </Stack>
      )}
    </Loaded>
  );
}

const registrationOf = ({ provisioning }: LorawanDevice) =>
  [words.registration, words.registered(provisioning)] as const;

/** When the next uplink is due by the usual interval. */
function expectedNext({ lastUplink, uplinkIntervalSeconds }: LorawanDevice): string | null {
  if (!lastUplink || uplinkIntervalSeconds === null) return null;
  return new Date(Date.parse(lastUplink.dateTime) + uplinkIntervalSeconds * 1_000).toISOString();
}

function rowsOf(radio: LorawanDevice) {
  const { lastUplink: last, uplinkIntervalSeconds: seconds, battery, lastJoinDateTime } = radio;
  const next = expectedNext(radio);
  return [
    registrationOf(radio),
    [words.lastUplink, last ? <Timestamp key="at" at={last.dateTime} /> : words.never],
    [words.signal, last ? words.signalText(last.rssi, last.snr) : '–'],
    [words.sent, last ? words.sentText(last.spreadingFactor, last.frequencyMhz) : '–'],
    [words.frame, last ? countText(last.fCnt) : '–'],
    [words.gateways, last?.gatewayIds.join(', ') || '–'],
    [words.lost, countText(radio.lostUplinks24h)],
    [words.retransmitted, countText(radio.retransmittedUplinks24h)],
    [words.interval, seconds === null ? words.notKnown : duration(seconds * 1_000)],
    [words.next, next === null ? words.notKnown : <Timestamp key="next" at={next} />],
    [words.battery, battery === null ? words.notKnown : words.percent(battery)],
    [words.joined, lastJoinDateTime ? <Timestamp key="join" at={lastJoinDateTime} /> : '–'],
  ] as const;
}

/** A change is saved at once. */
function SavedChoices({ device, radio }: { device: Device; radio: LorawanDevice }) {
  const update = useWrite('updateLorawanDevice');
  if (!useMayChoose()) return null;
  const save = (body: Partial<Choices>) =>
    void attempt(update.mutateAsync({ deviceId: device.id, body }), strings.ui.saved);
  return (
    <Panel title={isGateway(device) ? words.network : words.choices}>
      <RadioChoices device={device} choices={radio} onChange={save} />
    </Panel>
  );
}
