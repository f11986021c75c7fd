import { setTimeout as sleep } from 'node:timers/promises';
import type { RawReadings } from '@fieldwatch/contract';
import { apiAt, complain } from '../harness.ts';
import type { Value } from '../ledger.ts';
import { ORGANIZATION_ID } from '../service.ts';
import type { ClusterNode } from './cluster.ts';
import { measured, type NodesHarness } from './harness.ts';

export interface AcknowledgedReading {
  readonly variableId: string;
  readonly timestamp: number;
  readonly value: Value;
  readonly ackedAt: number;
}

const POLL_MS = 100;

/** Samples acknowledged readings, and asks every node for each of them until it has it. */
export class Visibility {
  readonly #harness: NodesHarness;
  readonly #looks = new Set<Promise<void>>();
  readonly #everyMs: number;
  #lastAt = 0;

  constructor(harness: NodesHarness, everyMs: number) {
    this.#harness = harness;
    this.#everyMs = everyMs;
  }

  acknowledged(reading: AcknowledgedReading): void {
    if (reading.ackedAt - this.#lastAt < this.#everyMs) return;
    this.#lastAt = reading.ackedAt;
    for (const node of this.#harness.cluster.responsive) {
      const look = this.#look(node, reading);
      this.#looks.add(look);
      void look.finally(() => this.#looks.delete(look));
    }
  }

  async settled(): Promise<void> {
    await Promise.all(this.#looks);
  }

  /** A node that does not run, or is halted, is asked no more. */
  async #look(node: ClusterNode, reading: AcknowledgedReading): Promise<void> {
    const harness = this.#harness;
    const { visibleMs } = harness.limits;
    while (node.isResponsive) {
      const isSeen = await this.#isSeen(node, reading).catch(() => false);
      const ms = Date.now() - reading.ackedAt;
      if (isSeen) {
        measured(harness, 'acknowledged to seen at a node', ms, visibleMs);
        return;
      }
      if (ms > 2 * visibleMs) {
        complain(harness, `${node.name} did not show an acknowledged reading`);
        return;
      }
      await sleep(POLL_MS);
    }
  }

  async #isSeen(
    { http }: ClusterNode,
    { variableId, timestamp, value }: AcknowledgedReading,
  ): Promise<boolean> {
    const page: object = await apiAt(http).listReadings(
      {
        ...{ organizationId: ORGANIZATION_ID, variableId },
        query: { startTime: timestamp, endTime: timestamp + 1, take: 10 },
      },
      { timeoutMs: 5_000 },
    );
    const found = (page as RawReadings).items.filter((item) => item.timestamp === timestamp);
    if (found.length > 1) complain(this.#harness, 'a node showed a reading twice');
    return found.length === 1 && found[0]?.value === value;
  }
}
