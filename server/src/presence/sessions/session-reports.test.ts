import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cases } from '../../../test/support/soak.ts';
import { LocalSessions } from './local-sessions.ts';
import { type OutgoingReport, OutgoingReports } from './outgoing-reports.ts';
import type { ReportAnswer } from './report.ts';
import { SessionRegistry } from './session-registry.ts';

const ORGANIZATION = 'organization';
const NODES = ['a', 'b', 'c'] as const;
/** Two Devices in each of two partitions. */
const DEVICES = ['10', '20', '11', '21'].map(
  (end) => `018f0000-0000-7000-8000-0000000${end}00${end[1]}`,
);
const PARTITIONS = [0, 1];

type NodeId = (typeof NODES)[number];

/** A node with sessions, which may also act for Devices. */
class Model {
  readonly local = new LocalSessions();
  readonly sessions = new Map<string, () => void>();
  /** By partition: the owner as this node knows it. */
  readonly owners = new Map<number, NodeId | null>();
  readonly registry: SessionRegistry;
  readonly outgoing: OutgoingReports;
  readonly epoch: number;
  readonly id: NodeId;

  constructor(id: NodeId) {
    this.id = id;
    this.epoch = 1 + NODES.indexOf(id);
    this.registry = new SessionRegistry({
      owns: (partition) => this.owners.get(partition) === id,
      onChanged: () => undefined,
    });
    this.outgoing = new OutgoingReports({
      epoch: this.epoch,
      local: this.local,
      ownerAt: (partition) => this.owners.get(partition) ?? null,
      maxDevices: 1,
    });
  }

  toggle(deviceId: string, clientId: string): void {
    const close = this.sessions.get(`${deviceId}/${clientId}`);
    if (close) close();
    else this.open(deviceId, clientId);
  }

  open(deviceId: string, clientId: string): void {
    const key = `${deviceId}/${clientId}`;
    // As in a broker: the older session of the client at the same node is closed.
    this.sessions.get(key)?.();
    const device = { deviceId, organizationId: ORGANIZATION };
    const takeOver = () => this.sessions.get(key)?.();
    const session = this.local.open({ ...device, clientId, takeOver });
    this.sessions.set(key, () => {
      this.sessions.delete(key);
      this.local.close(deviceId, session);
      this.outgoing.changed(device);
    });
    this.outgoing.changed(device);
  }

  setOwner(partition: number, owner: NodeId | null): void {
    const hadIt = this.owners.get(partition) === this.id;
    this.owners.set(partition, owner);
    if (hadIt && owner !== this.id) this.registry.drop(new Set([partition]));
  }
}

class Cluster {
  readonly nodes = new Map(NODES.map((id) => [id, new Model(id)]));
  readonly underWay: { from: Model; outgoing: OutgoingReport; isAnswered: boolean }[] = [];
  readonly owners = new Map<number, NodeId | null>();

  at(id: string): Model {
    return this.nodes.get(id as NodeId) as Model;
  }

  send(from: Model): void {
    for (const outgoing of from.outgoing.take())
      this.underWay.push({ from, outgoing, isAnswered: false });
  }

  apply({ from, outgoing }: { from: Model; outgoing: OutgoingReport }): ReportAnswer {
    return this.at(outgoing.nodeId).registry.apply(from.id, outgoing.report);
  }

  /** A call arrives, is lost, or its answer is lost; it may arrive once more, much later. */
  finish(index: number, fate: 'ANSWERED' | 'LOST' | 'SILENT' | 'LATE'): void {
    const call = this.underWay[index % Math.max(1, this.underWay.length)];
    if (!call) return;
    if (fate === 'LATE') {
      if (call.isAnswered) this.apply(call);
      return;
    }
    if (call.isAnswered) return;
    call.isAnswered = true;
    const answer = fate === 'LOST' ? null : this.apply(call);
    if (answer && fate === 'ANSWERED') call.from.outgoing.answered(call.outgoing, answer);
    else call.from.outgoing.failed(call.outgoing);
  }

  learn(node: Model): void {
    for (const [partition, owner] of this.owners) node.setOwner(partition, owner);
  }

  takeOver(): void {
    for (const { registry } of this.nodes.values()) {
      for (const { nodeId, numbers } of registry.takenOver())
        for (const number of numbers) this.at(nodeId).local.takeOver(number);
    }
  }

  /** Nothing is lost any more, and every node knows the owners. */
  quiesce(): void {
    for (const node of this.nodes.values()) this.learn(node);
    for (let round = 0; round < 20; round += 1) {
      for (const node of this.nodes.values()) {
        this.send(node);
        for (const id of NODES) {
          const question = node.outgoing.takeEmpty(id);
          if (question) this.underWay.push({ from: node, outgoing: question, isAnswered: false });
        }
      }
      for (const index of this.underWay.keys()) this.finish(index, 'ANSWERED');
      this.takeOver();
    }
  }
}

const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('TOGGLE' as const),
      node: fc.constantFrom(...NODES),
      device: fc.constantFrom(...DEVICES),
      client: fc.constantFrom('x', 'y'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('MOVE' as const),
      partition: fc.constantFrom(...PARTITIONS),
      owner: fc.constantFrom(...NODES, null),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('LEARN' as const), node: fc.constantFrom(...NODES) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('SEND' as const), node: fc.constantFrom(...NODES) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('FINISH' as const),
      index: fc.nat(50),
      fate: fc.constantFrom(
        'ANSWERED' as const,
        'LOST' as const,
        'SILENT' as const,
        'LATE' as const,
      ),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('TAKE_OVER' as const) }) },
);

const opening = fc.record({
  node: fc.constantFrom(...NODES),
  device: fc.constantFrom(...DEVICES),
  client: fc.constantFrom('x', 'y'),
  isSent: fc.boolean(),
});

function run(steps: readonly (typeof step extends fc.Arbitrary<infer Step> ? Step : never)[]) {
  const cluster = new Cluster();
  for (const each of steps) {
    if (each.kind === 'TOGGLE') cluster.at(each.node).toggle(each.device, each.client);
    else if (each.kind === 'MOVE') cluster.owners.set(each.partition, each.owner);
    else if (each.kind === 'LEARN') cluster.learn(cluster.at(each.node));
    else if (each.kind === 'SEND') cluster.send(cluster.at(each.node));
    else if (each.kind === 'FINISH') cluster.finish(each.index, each.fate);
    else cluster.takeOver();
  }
  return cluster;
}

describe('reports of sessions', () => {
  it('end with the sessions of every node at the owner, whatever was lost on the way', () => {
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 80, size: 'max' }),
        fc.constantFrom(...NODES),
        (steps, owner) => {
          const cluster = run(steps);
          for (const partition of PARTITIONS) cluster.owners.set(partition, owner);
          cluster.quiesce();
          for (const deviceId of DEVICES) {
            const isConnected = [...cluster.nodes.values()].some(({ local }) =>
              local.has(deviceId),
            );
            expect(cluster.at(owner).registry.isConnected(deviceId)).toBe(isConnected);
            for (const { id, registry } of cluster.nodes.values())
              if (id !== owner) expect(registry.isConnected(deviceId)).toBe(false);
          }
        },
      ),
      { numRuns: cases(3_000) },
    );
  });

  it('end with exactly one session of each client that has connected to several nodes', () => {
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 80, size: 'max' }),
        fc.array(opening, { maxLength: 12 }),
        fc.constantFrom(...NODES),
        (steps, openings, owner) => {
          const cluster = run(steps);
          for (const partition of PARTITIONS) cluster.owners.set(partition, owner);
          cluster.quiesce();
          const open = () =>
            [...cluster.nodes.values()].flatMap((node) => [...node.sessions.keys()]);
          const before = open();
          expect(new Set(before).size).toBe(before.length);
          for (const { node, device, client, isSent } of openings) {
            cluster.at(node).open(device, client);
            if (isSent) cluster.send(cluster.at(node));
          }
          const wanted = new Set(open());
          cluster.quiesce();
          expect(open().toSorted()).toEqual([...wanted].toSorted());
        },
      ),
      { numRuns: cases(3_000) },
    );
  });
});
