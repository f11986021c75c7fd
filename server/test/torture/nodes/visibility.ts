import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '@fieldwatch/client';
import type { RawReadings } from '@fieldwatch/contract';
import { complain } from '../harness.ts';
import type { Value } from '../ledger.ts';
import { KEY, ORGANIZATION_ID } from '../service.ts';
import type { ClusterNode } from './cluster.ts';
import { measured, type NodesHarness } from './harness.ts';

export interface AcknowledgedReading {
  readonly variableId: string;
  readonly timestamp: number;
  readonly value: Value;
  readonly ackedAt: number;
}

const SAMPLE_EVERY_MS = 1_000;
const POLL_MS = 100;

/** Samples acknowledged readings, and asks every node for each of them until it has it. */
export class Visibility {
  readonly #harness: NodesHarness;
  readonly #looks = new Set<Promise<void>>();
  #lastAt = 0;

  constructor(harness: NodesHarness) {
    this.#harness = harness;
  }

  acknowledged(reading: AcknowledgedReading): void {
    if (reading.ackedAt - this.#lastAt < SAMPLE_EVERY_MS) return;
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
    const api = createClient({ baseUrl: `http://127.0.0.1:${http.port}`, credentials: KEY });
    const page: object = await api.listReadings(
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
