import { describe, expect, it } from 'vitest';
import { describeNodes, nodeWarnings } from './node-list.ts';
import { PARTITION_COUNT } from './partition.ts';
import type { NodeReport } from './report.ts';
import type { NodeRow } from './store.ts';

const NOW = Date.UTC(2026, 10, 16);
const DAY_MS = 86_400_000;
const SELF = 'self';
const OTHER = 'other';

const REPORT: NodeReport = {
  load: {
    readingsPerSecond: 10,
    cpuShare: 0.5,
    memoryBytes: 1_000,
    mqttSessionCount: 3,
    forwardedPerSecond: 1,
    receivedPerSecond: 2,
  },
  lag: { oldestMessageSeconds: 0, flushBacklogBytes: 100 },
  clockDeviationSeconds: 0,
  unreachable: [],
};

function rowOf(id: string, row: Partial<NodeRow> = {}): NodeRow {
  return {
    id,
    epoch: 1,
    version: '1.9.0',
    address: `${id}:7883`,
    startedAt: NOW - 1_000,
    lostAt: null,
    isReady: true,
    isStopping: false,
    leaseSeconds: 5,
    migration: 34,
    report: REPORT,
    hasSessions: true,
    isGone: false,
    ...row,
  };
}

const owners = Array.from({ length: PARTITION_COUNT }, (_, number) => (number < 56 ? SELF : OTHER));

function described(rows: readonly NodeRow[], own: Partial<NodeReport> = {}) {
  return describeNodes(rows, owners, { id: SELF, report: { ...REPORT, ...own }, now: NOW });
}

describe('the state of a node', () => {
  it.each<[string, Partial<NodeRow>]>([
    ['READY', {}],
    ['LOST', { lostAt: NOW - 1, isGone: true }],
    ['SILENT', { isGone: true, leaseSeconds: 0 }],
    ['STOPPING', { isReady: false, isStopping: true }],
    ['STARTING', { isReady: false }],
    ['CLOCK_DIFFERS', { report: { ...REPORT, clockDeviationSeconds: -1.1 } }],
    ['READY', { report: { ...REPORT, clockDeviationSeconds: -1 } }],
    ['OTHER_VERSION', { version: '1.8.0' }],
    ['READY', { report: { load: 'of another version' } }],
  ])('is %s for %j', (state, row) => {
    expect(described([rowOf(SELF), rowOf(OTHER, row)])[1]).toMatchObject({ state });
  });

  it('is OTHER_VERSION for each living node that has not the newest version', () => {
    const rows = [rowOf(SELF), rowOf(OTHER, { version: '1.10.0' })];
    expect(described(rows).map(({ state }) => state)).toEqual(['OTHER_VERSION', 'READY']);
    const lost = [rowOf(SELF), rowOf(OTHER, { version: '1.10.0', lostAt: NOW })];
    expect(described(lost).map(({ state }) => state)).toEqual(['READY', 'LOST']);
  });

  it('is UNREACHABLE when this node or another one cannot reach its address', () => {
    const rows = [rowOf(SELF), rowOf(OTHER)];
    expect(described(rows, { unreachable: [OTHER] })[1]).toMatchObject({
      state: 'UNREACHABLE',
      unreachableFrom: [SELF],
    });
    const reported = [rowOf(SELF), rowOf(OTHER, { report: { ...REPORT, unreachable: [SELF] } })];
    expect(described(reported)[0]).toMatchObject({
      state: 'UNREACHABLE',
      unreachableFrom: [OTHER],
    });
  });

  it('is READY of the node that answers, though a node alone lets its lease end', () => {
    expect(described([rowOf(SELF, { isGone: true, leaseSeconds: 0 })])).toMatchObject([
      { state: 'READY', isAnswering: true, leaseSeconds: 0 },
    ]);
  });
});

it('the node that answers takes its own figures from memory, and those of others from the database', () => {
  const own = { load: { ...REPORT.load, readingsPerSecond: 99 } };
  expect(described([rowOf(SELF), rowOf(OTHER)], own)).toMatchObject([
    { partitionCount: 56, load: { readingsPerSecond: 99 }, lag: REPORT.lag },
    { partitionCount: 200, load: { readingsPerSecond: 10 }, lag: REPORT.lag },
  ]);
});

it('figures that another version writes differently are unknown', () => {
  const [, other] = described([rowOf(SELF), rowOf(OTHER, { report: { load: { cpuShare: 1 } } })]);
  expect(other).toMatchObject({ load: null, lag: null, clockDeviationSeconds: null });
});

it('a node that was lost is listed without figures for a day', () => {
  const rows = [rowOf(SELF), rowOf(OTHER, { lostAt: NOW - DAY_MS + 1 })];
  expect(described(rows)[1]).toMatchObject({ state: 'LOST', load: null, lag: null });
  expect(described([rowOf(SELF), rowOf(OTHER, { lostAt: NOW - DAY_MS })])).toHaveLength(1);
});

it('lost and unreachable nodes are warned about by their addresses', () => {
  const rows = [rowOf(SELF), rowOf(OTHER), rowOf('third', { lostAt: NOW })];
  const warnings = nodeWarnings(described(rows, { unreachable: [OTHER] }));
  expect(warnings.map(({ code }) => code)).toEqual(['NODE_LOST', 'NODE_UNREACHABLE']);
  expect(warnings[0]?.message).toContain('The node at third:7883 was lost');
  expect(warnings[1]?.message).toContain('The node at other:7883 cannot be reached');
  expect(nodeWarnings(described([rowOf(SELF), rowOf(OTHER)]))).toEqual([]);
});
