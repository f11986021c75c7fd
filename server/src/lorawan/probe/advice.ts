import type { TopicSettings } from '../messages/index.ts';

/** What a probe has seen. */
export interface Probed {
  /** Messages by kind of event, `ignored` and `unreadable`. */
  readonly counts: Readonly<Record<string, number>>;
  /** Events of sensors that the broker does not repeat: they were published with QoS 0. */
  readonly unacknowledged: number;
  /** The EUIs of sensors that are no Devices. */
  readonly unknown: readonly string[];
  readonly isActive: boolean;
  readonly hasEnded: boolean;
}

const SENSOR_KINDS = ['up', 'join', 'status', 'log'];
const MAX_LISTED = 10;

/** What the operator can do about what a probe has seen, a line each. */
export function adviceOf(network: TopicSettings, probed: Probed): string[] {
  const { counts, unacknowledged, unknown, isActive, hasEnded } = probed;
  const isChirpstack = network.kind === 'CHIRPSTACK_V4';
  const lines: string[] = [];
  if (hasEnded) lines.push('The broker closed the connection.');
  if (!isActive) lines.push('The network is disabled: the server receives nothing of it.');
  if (counts.unreadable && isChirpstack) {
    lines.push(
      'For messages that are not JSON, set json=true in [integration.mqtt] of ChirpStack.',
    );
  }
  if (!SENSOR_KINDS.some((kind) => counts[kind])) lines.push(silenceOf(network));
  if (unacknowledged > 0) lines.push(lossOf(unacknowledged, isChirpstack));
  if (unknown.length > 0) {
    const more = unknown.length > MAX_LISTED ? ', …' : '';
    const listed = unknown.slice(0, MAX_LISTED).join(', ');
    lines.push(
      `No Device of type LORAWAN_DEVICE has the EUI ${listed}${more}: create a Device for each.`,
    );
  }
  return lines;
}

function silenceOf({ applicationId, tenantId, kind }: TopicSettings): string {
  const application =
    kind === 'THE_THINGS_STACK_V3' && tenantId !== null
      ? `${applicationId}@${tenantId}`
      : applicationId;
  return [
    'No sensor sent anything. Check that one has sent meanwhile,',
    `that its application at the network server is ${application},`,
    'and that the broker lets this user read the topics: many brokers refuse that silently.',
  ].join(' ');
}

function lossOf(count: number, isChirpstack: boolean): string {
  const events = `${count} ${count === 1 ? 'event was' : 'events were'} published with QoS 0`;
  return isChirpstack
    ? `${events}: such events are lost while the server is offline. Set qos=1 in [integration.mqtt] of ChirpStack.`
    : `${events}, as The Things Stack does: such events are lost while the server is offline.`;
}
