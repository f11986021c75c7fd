import Type, { type Static } from 'typebox';
import { operation, permission } from './operation.ts';
import { closed, DateTime, Id, listOf, nullable } from './schema.ts';

/** The first that applies is the state of a node. The list may grow. */
export const NODE_STATES = [
  'LOST',
  'SILENT',
  'STOPPING',
  'STARTING',
  'UNREACHABLE',
  'CLOCK_DIFFERS',
  'OTHER_VERSION',
  'READY',
] as const;

export type NodeState = (typeof NODE_STATES)[number];

const figure = (description: string) => Type.Number({ minimum: 0, description });
const count = (description: string) => Type.Integer({ minimum: 0, description });

export const NodeLoad = Type.Object(
  {
    readingsPerSecond: figure('Readings that it stored'),
    cpuShare: figure('Processor time of the process: 1 is one core'),
    memoryBytes: count('Resident memory of the process'),
    mqttSessionCount: count('MQTT sessions that are connected to it'),
    forwardedPerSecond: figure('Messages that it forwarded to other nodes'),
    receivedPerSecond: figure('Messages that other nodes forwarded to it'),
  },
  closed,
);
export type NodeLoad = Static<typeof NodeLoad>;

export const NodeLag = Type.Object(
  {
    oldestMessageSeconds: figure('Age of the oldest message that is not stored yet'),
    flushBacklogBytes: count('Journal rows that are not flushed into the history yet'),
  },
  closed,
);
export type NodeLag = Static<typeof NodeLag>;

export const Node = Type.Object(
  {
    id: Id,
    isAnswering: Type.Boolean({ description: 'Whether this node answers the request' }),
    state: Type.Enum([...NODE_STATES]),
    address: Type.String({ description: 'Where other nodes reach it: host and port' }),
    version: Type.String(),
    migration: nullable(
      Type.Integer({ description: 'The newest migration that its version knows' }),
    ),
    startedDateTime: DateTime,
    lostDateTime: nullable(DateTime),
    partitionCount: count('Partitions that it owns, of 256'),
    leaseSeconds: figure(
      'Time until its lease ends; 0 when it has ended. A node alone renews its lease when a commit needs it',
    ),
    clockDeviationSeconds: nullable(
      Type.Number({ description: "How far its clock is ahead of the database's" }),
    ),
    unreachableFrom: Type.Array(Id, { description: 'Nodes that cannot reach its address' }),
    load: nullable(NodeLoad),
    lag: nullable(NodeLag),
  },
  closed,
);
export type Node = Static<typeof Node>;

export const listNodes = operation({
  id: 'listNodes',
  method: 'GET',
  path: '/primary/v1/{organizationId}/nodes',
  tag: 'Service',
  summary: 'List the nodes of the installation with their state, load and lag, the oldest first',
  access: permission('ReadNodes'),
  effect: 'read',
  reply: { status: 200, description: 'All nodes', body: listOf(Node) },
});
