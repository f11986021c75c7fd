import type { LorawanNetworkKind } from '@fieldwatch/contract';
import { chirpstackEvent, chirpstackGatewayEvent } from './chirpstack.ts';
import type { LorawanEvent } from './event.ts';
import { fieldsOf } from './fields.ts';
import { theThingsStackEvent } from './the-things-stack.ts';

/** What of a network decides about its topics. */
export interface TopicSettings {
  readonly kind: LorawanNetworkKind;
  readonly applicationId: string;
  readonly tenantId: string | null;
  readonly topicTemplate: string | null;
  readonly gatewayPrefixes: readonly string[];
}

const CHIRPSTACK_TEMPLATE = 'application/{applicationId}/device/{devEui}/event/{event}';
const THE_THINGS_STACK_EVENTS = ['up', 'join'];
const GATEWAY_LEAVES = ['state/conn', 'event/stats'];
const GATEWAY_TOPIC = /\/gateway\/([^/]+)\/(.+)$/;

/** The filters that a session of the network subscribes to. */
export function filtersOf(network: TopicSettings): string[] {
  const { kind, applicationId, tenantId, gatewayPrefixes } = network;
  if (kind === 'THE_THINGS_STACK_V3') {
    const application = tenantId === null ? applicationId : `${applicationId}@${tenantId}`;
    return THE_THINGS_STACK_EVENTS.map((event) => `v3/${application}/devices/+/${event}`);
  }
  const events = templateOf(network).replace('{devEui}', '+').replace('{event}', '+');
  const gateways = gatewayPrefixes.flatMap((prefix) =>
    GATEWAY_LEAVES.map((leaf) => `${prefix}/gateway/+/${leaf}`),
  );
  return [events, ...gateways];
}

function templateOf({ topicTemplate, applicationId }: TopicSettings): string {
  return (topicTemplate ?? CHIRPSTACK_TEMPLATE).replace('{applicationId}', applicationId);
}

/** The event of a message of the broker; null for one that is not stored. */
export function eventOfMessage(
  network: TopicSettings,
  topic: string,
  payload: Buffer,
): LorawanEvent | null {
  if (network.kind === 'THE_THINGS_STACK_V3') return theThingsStackEvent(parsed(payload));
  const kind = eventKindOf(network, topic);
  if (kind !== null) return chirpstackEvent(kind, parsed(payload));
  const [, gatewayId, leaf] = GATEWAY_TOPIC.exec(topic) ?? [];
  if (gatewayId === undefined || leaf === undefined) return null;
  return chirpstackGatewayEvent(leaf, gatewayId, payload);
}

/** The level of the topic at which the template has the kind; null for a topic of another form. */
function eventKindOf(network: TopicSettings, topic: string): string | null {
  const wanted = templateOf(network).split('/');
  const levels = topic.split('/');
  const isMeant = (level: string, index: number) =>
    level.includes('{') ? levels[index] !== undefined : levels[index] === level;
  if (levels.length !== wanted.length || !wanted.every(isMeant)) return null;
  return levels[wanted.indexOf('{event}')] ?? null;
}

/** The event of a body of a webhook; ChirpStack says its kind in the query. */
export function eventOfBody(
  kind: LorawanNetworkKind,
  event: string | undefined,
  body: object,
): LorawanEvent | null {
  const message = fieldsOf(body);
  return kind === 'CHIRPSTACK_V4'
    ? chirpstackEvent(event ?? 'up', message)
    : theThingsStackEvent(message);
}

function parsed(payload: Buffer): Readonly<Record<string, unknown>> {
  return fieldsOf(JSON.parse(payload.toString()));
}
