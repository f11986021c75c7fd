import type { NodeState } from '@fieldwatch/contract';

const nodeStates: Readonly<Record<NodeState, string>> = {
  READY: 'Ready',
  STARTING: 'Starting',
  STOPPING: 'Stopping',
  OTHER_VERSION: 'Older version',
  CLOCK_DIFFERS: 'Clock differs',
  UNREACHABLE: 'Unreachable',
  SILENT: 'Silent',
  LOST: 'Lost',
};

const nodeStateHints: Readonly<Record<Exclude<NodeState, 'READY'>, string>> = {
  STARTING: 'It takes no partitions yet.',
  STOPPING: 'It hands its partitions over.',
  OTHER_VERSION: 'Upgrade it to the version of the others.',
  CLOCK_DIFFERS: "Correct its clock or the database's, preferably with NTP.",
  UNREACHABLE: 'Other nodes cannot reach its address. Check its setting, and the network.',
  SILENT: 'Its lease has ended. Another node is about to take over.',
  LOST: 'other nodes have taken over. Start it again.',
};

export const nodes = {
  node: 'Node',
  answering: 'Answers this page.',
  state: 'State',
  states: nodeStates,
  stateHints: nodeStateHints,
  deviation: (seconds: string) => `Now: ${seconds} s.`,
  version: 'Version',
  migration: (number: number) => `migration ${number}`,
  started: 'Started',
  partitions: 'Partitions',
  lease: (seconds: string) => `lease ${seconds} s`,
  readings: 'Readings/s',
  process: 'CPU, memory',
  sessions: 'MQTT sessions',
  forwarded: 'Forwarded/s',
  received: (rate: string) => `received ${rate}`,
  oldest: 'Oldest message',
  seconds: (seconds: string) => `${seconds} s`,
  unflushed: (size: string) => `${size} to flush`,
  unknown: '–',
  one: 'This installation has one node',
  oneHint:
    'It handles all Devices. To take more load, or to continue when a machine fails, start another node on the same external database: set the same DATABASE_URL and FIELDWATCH_SECRET_KEY, and FIELDWATCH_NODE_ADDRESS on each.',
  figures:
    'Rates are averages of 10 seconds. 100 % CPU is one core. A node that was lost is listed for a day.',
  guide: 'Add, upgrade and replace nodes as described in',
} as const;
