import type { Operations } from '@fieldwatch/contract';
import type { Handler } from '../http/index.ts';
import type { Ownership } from '../nodes/index.ts';
import {
  createOutbound,
  Failure,
  invalid,
  type Keyring,
  type Metrics,
  type NewId,
  notFound,
  parseAllowed,
} from '../runtime/index.ts';
import type { ChangeListener, Transaction } from '../storage/index.ts';
import { GatewayPolls } from './gateways/index.ts';
import { Intake, type IntakeDeps } from './intake/index.ts';
import { eventOfBody, type LorawanEvent, UnreadableEvent } from './messages/index.ts';
import { createNetworks, findNetwork, type Networks } from './networks/index.ts';
import { Provisioning, type SavedDevice } from './provisioning/index.ts';
import { createSensors, type Sensors } from './sensors/index.ts';
import { Activity, Sessions } from './sessions/index.ts';

export interface LorawanDeps extends Omit<IntakeDeps, 'provisioning'> {
  readonly newId: NewId;
  readonly keyring: Keyring;
  readonly metrics: Metrics;
  readonly ownership: Ownership;
  readonly settings: { readonly outboundAllow: string };
}

/** Network servers of LoRaWAN: their events become readings of Devices. */
export interface Lorawan {
  readonly networks: Networks;
  readonly sensors: Sensors;
  readonly receive: Handler<Operations['receiveLorawanEvent']>;
  /** Called within the transaction of each edit and deletion of a Device. */
  deviceSaved(tx: Transaction, organizationId: string, saved: SavedDevice): Promise<void>;
  /** Reacts to changes of networks, by any node. */
  readonly changes: ChangeListener;
  start(): void;
  stop(): Promise<void>;
}

export function createLorawan(deps: LorawanDeps): Lorawan {
  const storage = deps.storage.background;
  const outbound = createOutbound({ allowed: parseAllowed(deps.settings.outboundAllow) });
  const provisioning = new Provisioning({ ...deps, storage, outbound });
  const intake = new Intake({ ...deps, provisioning });
  const activity = new Activity({ ...deps, storage });
  const sessions = new Sessions({ ...deps, storage, outbound, intake, activity });
  const polls = new GatewayPolls({ ...deps, outbound, intake });
  meter(deps.metrics, { intake, sessions, provisioning });
  const changed = () => {
    sessions.networksChanged();
    polls.networksChanged();
  };
  return {
    networks: createNetworks({
      ...deps,
      onSaved: (tx, organizationId, saved) => provisioning.networkSaved(tx, organizationId, saved),
    }),
    sensors: createSensors({ ...deps, provisioning }),
    receive: receive(deps, intake, activity),
    deviceSaved: (tx, organizationId, saved) => provisioning.deviceSaved(tx, organizationId, saved),
    changes: { channel: 'fieldwatch_lorawan', onNotification: changed, onGap: changed },
    start() {
      activity.start();
      sessions.start();
      provisioning.start();
      polls.start();
    },
    async stop() {
      await Promise.all([polls.stop(), provisioning.stop(), sessions.stop()]);
      await activity.stop();
    },
  };
}

function meter(
  metrics: Metrics,
  {
    intake,
    sessions,
    provisioning,
  }: { intake: Intake; sessions: Sessions; provisioning: Provisioning },
): void {
  metrics.addCounter({
    name: 'fieldwatch_lorawan_events_total',
    help: 'Events of LoRaWAN network servers, by kind',
    label: 'kind',
    totals: () => intake.totals(),
  });
  metrics.addGauge({
    name: 'fieldwatch_lorawan_sessions',
    help: 'Sessions of this server at the brokers of LoRaWAN networks, by state',
    label: 'state',
    values: async () => sessions.states(),
  });
  metrics.addGauge({
    name: 'fieldwatch_lorawan_registrations',
    help: 'Sensors and gateways that are registered at LoRaWAN network servers or shall be, by state',
    label: 'state',
    values: () => provisioning.states(),
  });
}

/** Answers when the readings are durable: a network server that gets no answer may send again. */
function receive({ storage }: LorawanDeps, intake: Intake, activity: Activity): Lorawan['receive'] {
  return async ({ params: { organizationId, networkId }, query, body }) => {
    const network = await findNetwork(storage.ingest, organizationId, networkId);
    if (!network) throw notFound('LoRaWAN network');
    if (!network.isActive || network.ingest !== 'WEBHOOK') {
      throw new Failure('CONFLICT', 'The network takes no webhooks: it is inactive or uses MQTT.');
    }
    const event = readEvent(() => eventOfBody(network.kind, query.event, body));
    if (event === null) return { body: { isStored: false } };
    const source = { organizationId, id: networkId };
    activity.note(source);
    return { body: { isStored: await intake.receive(source, event) } };
  };
}

function readEvent(read: () => LorawanEvent | null): LorawanEvent | null {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof UnreadableEvent)) throw error;
    throw invalid({ path: 'body', message: `cannot be read: ${error.message}` });
  }
}
