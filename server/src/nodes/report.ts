import type { NodeLag, NodeLoad } from '@fieldwatch/contract';

/** What a node writes about itself when it renews its lease. */
export interface NodeReport {
  readonly load: NodeLoad;
  readonly lag: NodeLag;
  /** How far its clock is ahead of the database's. */
  readonly clockDeviationSeconds: number;
  /** Nodes whose address it cannot reach. */
  readonly unreachable: readonly string[];
}

/** The fields of a report that are what this version expects: other versions may differ. */
export function parseReport(stored: unknown): Partial<NodeReport> {
  const { load, lag, clockDeviationSeconds, unreachable } = Object(stored) as Partial<
    Record<keyof NodeReport, unknown>
  >;
  return {
    ...(hasNumbers(load, LOAD) && { load }),
    ...(hasNumbers(lag, LAG) && { lag }),
    ...(typeof clockDeviationSeconds === 'number' && { clockDeviationSeconds }),
    ...(Array.isArray(unreachable) && {
      unreachable: unreachable.filter((id) => typeof id === 'string'),
    }),
  };
}

const LOAD: readonly (keyof NodeLoad)[] = [
  'readingsPerSecond',
  'cpuShare',
  'memoryBytes',
  'mqttSessionCount',
  'forwardedPerSecond',
  'receivedPerSecond',
];
const LAG: readonly (keyof NodeLag)[] = ['oldestMessageSeconds', 'flushBacklogBytes'];

function hasNumbers<Key extends string>(
  value: unknown,
  keys: readonly Key[],
): value is Record<Key, number> {
  const fields = Object(value) as Partial<Record<Key, unknown>>;
  return keys.every((key) => typeof fields[key] === 'number');
}
